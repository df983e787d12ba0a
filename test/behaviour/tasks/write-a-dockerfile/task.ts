import { edit, read, run, type Task, write } from '../task.ts';

export const task: Task = {
  prompt: 'put this service into a container',
  end: 'The service has a Dockerfile, a compose file and a health check.',
  after: [
    'run_shell: run npm test 2>&1 | tail -8 && npm run build && ls -R dist',
    'edit_file: edit src/server.js (+1 −1)',
  ],
  steps: [
    [run('find . -type f -not -path "./.git/*" | head -50'), run('cat package.json README.md .gitignore')],
    run('docker --version 2>/dev/null || echo "docker is not here"; node --version; npm --version'),
    run('grep -rn "process.env" src | head; ls Dockerfile docker-compose.yml 2>&1'),
    [read('src/server.js'), read('package.json'), read('README.md'), read('.gitignore')],
    run('npm test 2>&1 | tail -8 && npm run build && ls -R dist'),
    run(
      '(PORT=4010 node src/server.js & echo $! > /tmp/pid; sleep 1; curl -fsS "http://127.0.0.1:4010/?name=Ada"; kill "$(cat /tmp/pid)")',
    ),
    edit('src/server.js', "  .listen(port, '127.0.0.1');", "  .listen(port, process.env.HOST ?? '127.0.0.1');"),
    write(
      'Dockerfile',
      'FROM node:22-alpine AS build\nWORKDIR /app\nCOPY package*.json ./\nRUN npm install --ignore-scripts\nCOPY . .\nRUN npm run build\n\nFROM node:22-alpine\nENV NODE_ENV=production HOST=0.0.0.0 PORT=8080\nWORKDIR /app\nCOPY --from=build /app/dist ./dist\nCOPY package.json ./\nUSER node\nEXPOSE 8080\nHEALTHCHECK CMD wget -qO- http://127.0.0.1:8080/healthz || exit 1\nCMD ["node", "dist/server.js"]\n',
    ),
    write('.dockerignore', 'node_modules\ndist\n.git\n.env*\n'),
    write(
      'docker-compose.yml',
      'services:\n  greetings:\n    build: .\n    ports: ["8080:8080"]\n    env_file: [.env.example]\n',
    ),
    write('.env.example', 'PORT=8080\nHOST=0.0.0.0\n'),
    run('cat -n Dockerfile | sed -n "1,20p"; grep -c "" .dockerignore'),
    run('rm -rf dist && npm run build --silent && test -f dist/server.js && echo built'),
    run("awk '/^FROM/ { print NR\": \"$0 }' Dockerfile && grep -nE '^(USER|EXPOSE|HEALTHCHECK|CMD)' Dockerfile"),
    run('set -a; . ./.env.example; set +a; echo "$HOST:$PORT"'),
    run(
      'HOST=127.0.0.1 PORT=4011 node dist/server.js > /tmp/server.log 2>&1 & pid=$!; for i in 1 2 3 4 5; do curl -fs http://127.0.0.1:4011/healthz && break; sleep 0.3; done; kill $pid; wait $pid 2>/dev/null; cat /tmp/server.log',
    ),
    write(
      'test/dockerfile.test.js',
      "import assert from 'node:assert/strict';\nimport { readFileSync } from 'node:fs';\nimport { test } from 'node:test';\n\ntest('the image does not run as root', () => {\n  assert.match(readFileSync('Dockerfile', 'utf8'), /^USER node$/m);\n});\n",
    ),
    run('node --test 2>&1 | grep -E "^# (pass|fail)|ℹ (pass|fail)"'),
    edit(
      'README.md',
      '`npm start` listens on port 8080.',
      '`npm start` listens on port 8080.\n\nIn a container: `docker compose up --build`.',
    ),
    edit(
      'package.json',
      '"start": "node src/server.js",',
      '"start": "node src/server.js",\n    "start:prod": "node dist/server.js",',
    ),
    run(
      "node -e \"const { scripts } = JSON.parse(require('node:fs').readFileSync('package.json', 'utf8')); console.log(Object.keys(scripts))\"",
    ),
    run(
      'python3 - <<\'EOF\'\nlines = open("docker-compose.yml").read().splitlines()\nprint(len(lines), lines[0])\nEOF',
    ),
    run('du -sh . --exclude=.git | cut -f1; git status --porcelain --ignored'),
    run(
      'git add Dockerfile .dockerignore docker-compose.yml .env.example && git add -u && git add test && git commit -m "Add a container image" --quiet; git show --stat --format=%s HEAD',
    ),
  ],
};
