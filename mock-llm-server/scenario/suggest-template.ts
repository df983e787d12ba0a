/** Words that are written for `last_user`, without what stands between their letters. */
const LAST_USER = /^(?:the)?(?:last|latest)?(?:use?r?s?|prompt|input|message)(?:message|prompt|input|text)?$/i;

/** The template most likely meant by the text between its braces, as in `{{lastUser}}`; undefined if none is near. Pure. */
export function suggestTemplate(written: string): string | undefined {
  const [, word = '', number = ''] =
    /^(tool[_ -]?(?:results?|outputs?)|results?|outputs?)[^a-z0-9]*(\d+|first|last)?\W*$/i.exec(written) ?? [];
  if (word !== '') {
    // Results are counted from 1.
    const index = number.toLowerCase() === 'first' || /^0+$/.test(number) ? '1' : number.toLowerCase();
    return `{{tool_result ${index === '' ? 'last' : Number(index) || index}}}`;
  }
  const [, group] = /^(?:match(?:es)?|groups?)\W+([a-z_$][\w$]*)\W*$/i.exec(written) ?? [];
  if (group !== undefined) return `{{match.${group}}}`;
  return LAST_USER.test(written.replaceAll(/[^a-z]/gi, '')) ? '{{last_user}}' : undefined;
}
