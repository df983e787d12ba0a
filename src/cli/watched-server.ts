import type { RecordedRequest } from '../../mock-llm-server/record/exchange.ts';
import { createRecordingProxy } from '../../mock-llm-server/record/proxy.ts';
import { createRecorder } from '../../mock-llm-server/record/recorder.ts';
import { outcomeOf } from '../../mock-llm-server/record/recording-files.ts';
import { listen } from '../../mock-llm-server/server/listen.ts';
import type { MockRequest } from '../stories/check-requests.ts';
import type { RunningModel } from '../stories/play/play-with-command.ts';

/** A server that passes requests on to the one at `endpoint`, and reads them and their answers. */
export async function watchServer(endpoint: string): Promise<RunningModel> {
  const recorder = createRecorder({ secrets: [] });
  // The variables for agents add the path of their protocol.
  const url = new URL(endpoint.replace(/\/+(?:v1\/*)?$/, ''));
  const server = await listen(createRecordingProxy({ upstream: { url }, recorder }), {});
  const asked = (): readonly RecordedRequest[] => recorder.requests.filter(({ protocol }) => protocol !== undefined);
  return {
    url: server.url,
    get requests() {
      return asked().map(describeRequest);
    },
    results: () => [...new Set(asked().flatMap(resultsIn))],
    answer() {
      const last = asked().findLast(({ exchange }) => exchange !== undefined && exchange.auxiliary === undefined);
      return last && (last.exchange?.answer?.content ?? '');
    },
    prompts: () => [],
    async close() {
      await server.close();
      await recorder.settle();
    },
  };
}

function describeRequest(request: RecordedRequest): MockRequest {
  // This server answers 502 where the other one does not answer.
  const { method, path, status = 502, exchange } = request;
  const reason = request.status === undefined ? 'the server did not answer' : outcomeOf(request);
  const error = status >= 400 ? { error: exchange?.error?.message ?? reason } : {};
  return { method, path, status, auxiliary: exchange?.auxiliary, hasUnknownStep: true, ...error };
}

function resultsIn({ exchange }: RecordedRequest): readonly string[] {
  return (exchange?.conversation.messages ?? []).flatMap(({ parts }) =>
    [...parts].flatMap((part) => (part.type === 'tool_result' ? [part.content] : [])),
  );
}
