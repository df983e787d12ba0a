import { describe, expect, it } from 'vitest';
import { destructiveEffect } from '../../../../../src/policy/shell/destructive/destructive.ts';

describe('a command that destroys', () => {
  it.each([
    // Files
    ...['rm x', 'rm -rf build && ls', '/bin/rm x', 'sudo rm x', 'rmdir x', 'unlink x', 'shred x', 'truncate -s 0 log'],
    ...['dd if=a of=b', 'find . -name x -delete', 'find . -exec rm {} +', 'find . -execdir rm {} \\;', 'ls | xargs rm'],
    ...[
      'ls | xargs -0 rm -f',
      'fd -x rm',
      'rsync -a --delete a/ b',
      'rsync --del a b',
      'rsync --remove-source-files a b',
    ],
    ...[
      'tar czf a.tgz --remove-files x',
      'tar --remove-f -cf a x',
      'zip -m a x',
      'zip --move a x',
      '7z a -sdel x',
      'unzip -o a.zip',
      'timeout 5 rm x',
    ],
    ...[
      'nice rm x',
      'env A=1 rm x',
      'sh -c "rm x"',
      'eval "rm x"',
      'f() { rm "$1"; }; f x',
      'for i in a; do rm "$i"; done',
    ],
    ...[
      'chmod -R 777 .',
      'chown --rec x .',
      'npx rimraf dist',
      ...'sync delete deletefile purge move moveto rmdir rmdirs cleanup'.split(' ').map((verb) => `rclone ${verb} a`),
      'echo $(rm x)',
      'cat <(rm x)',
      'if x; then rm y; fi',
    ],
    ...[
      'python3 -c \'import shutil; shutil.rmtree("x")\'',
      'node -e "fs.rmSync(1)"',
      'python3 <<E\nimport os\nos.remove("x")\nE',
    ],
    ...[
      ...'revert delete rm remove cleanup'.split(' ').map((verb) => `svn ${verb} x`),
      'hg purge',
      'hg update -C',
      'hg up --clean',
      'jj abandon',
    ],
    // Disks and users
    ...['mkfs.ext4 /dev/sda', 'mkswap x', 'wipefs x', 'crontab -r', 'crontab -u x -r', 'userdel x'],
    ...'revert purge clean strip rollback histedit'.split(' ').map((verb) => `hg ${verb} x`),
    ...'update up checkout co merge'.split(' ').map((verb) => `hg ${verb} -C x`),
    ...['abandon', 'restore', 'op restore', 'branch delete', 'bookmark delete'].map((verb) => `jj ${verb} x`),
    // Containers and clusters
    ...['buildx rm', 'context rm', 'machine rm', 'network rm', 'network remove', 'service rm', 'secret rm', 'stack rm']
      .concat(['config rm', 'swarm leave', 'system reset', 'volume remove', 'image rm', 'image remove', 'container rm'])
      .concat(['container remove', 'pod rm', 'compose rm'])
      .map((words) => `docker ${words} x`),
    ...['network', 'builder', 'buildx', 'container', 'pod'].map((kind) => `podman ${kind} prune -f`),
    ...[
      'docker rm -f x',
      'docker system prune -af',
      'docker volume rm x',
      'docker -H tcp://x rm y',
      'docker --context x volume prune',
    ],
    ...[
      'docker image prune',
      'docker compose down -v',
      'docker compose -f a.yml down --volumes',
      'docker-compose down -v',
      'podman rmi x',
    ],
    ...[
      'docker compose down --rmi all',
      'docker-compose -p x rm',
      'kubectl delete pod x',
      'kubectl -n a delete pod x',
      'kubectl drain x',
      'kubectl delete x --dry-run=none',
      'kubectl delete x --dry-run=false',
      ...'delete destroy remove rm rb purge terminate deregister drop reset flush empty revoke'
        .split(' ')
        .map((verb) => `gcloud beta things ${verb} x`),
      'heroku pg:reset',
      'az network vnet delete',
    ],
    ...['kubectl --context=x delete ns y', 'kubectl replace --force -f x', 'helm uninstall x', 'minikube delete'],
    // Machines and services
    ...[
      'terraform destroy',
      'terraform -chdir=x destroy',
      'tofu apply -auto-approve',
      'terraform state rm x',
      'pulumi destroy',
    ],
    ...[
      'aws s3 rm s3://x --recursive',
      'aws s3 sync a b --delete',
      'aws ec2 terminate-instances --instance-ids x',
      'aws s3 rb x',
    ],
    ...[
      'gcloud compute instances delete x',
      'az group delete -n x',
      'gh repo delete x',
      'gh -R a/b release delete v1',
      'gh api -X DELETE x',
    ],
    ...['gh api --method=DELETE x', 'heroku apps:destroy x', 'firebase functions:delete x', 'vercel remove x'],
    ...['docker-compose rm', 'podman-compose down --v', 'docker-compose down --volumes', 'docker-compose down --r=x'],
    ...[
      'docker compose down --rm=all',
      'docker compose down --rmi=all',
      'docker-compose down --rm',
      'docker-compose down --rmi',
    ],
    ...[
      'k3s kubectl delete pod x',
      'oc apply --prune',
      'kubectl apply --force',
      'k3d cluster delete x',
      'kind delete cluster',
    ],
    ...'uninstall delete del un rollback'.split(' ').map((verb) => `helm ${verb} x`),
    ...['workspace delete', 'run-all destroy', 'taint', 'force-unlock', 'apply -destroy', 'apply -replace=x']
      .concat(['run-all apply --auto-approve'])
      .map((words) => `terragrunt ${words}`),
    ...['stack rm', 'state delete'].map((words) => `pulumi ${words}`),
    ...['destroy', 'remove', 'delete', 'app delete'].map((words) => `sls ${words}`),
    ...['undefine', 'destroy', 'vol-delete'].map((verb) => `virsh ${verb} x`),
    ...'delete terminate deregister remove purge revoke batch-delete'.split(' ').map((verb) => `aws x ${verb}-y`),
    ...['aws s3 sync a b --remove', 'vagrant destroy', 'gh release delete-asset v1 x', 'glab ssh-key remove 1'],
    // Databases
    ...[
      'psql -c "DROP TABLE x"',
      'sqlite3 a.db "drop table x"',
      'psql <<E\nTRUNCATE x;\nE',
      'echo "DELETE FROM x" | mysql db',
      'dropdb x',
    ],
    ...[
      'mongosh --eval "db.x.drop()"',
      'redis-cli flushall',
      'rails db:drop',
      'npx prisma migrate reset',
      'php artisan migrate:fresh',
    ],
    ...[
      'python manage.py flush',
      './manage.py flush',
      'mix ecto.drop',
      'alembic downgrade -1',
      'npx knex migrate:rollback',
      'bundle exec rake db:reset',
    ],
    ...[
      'mysqladmin drop x',
      'redis-cli FLUSHDB',
      'redis-cli del x',
      'valkey-cli unlink x',
      'mix ecto.reset',
      'mix ecto.rollback',
    ],
    ...'purge schema:load structure:load migrate:reset truncate_all setup'.split(' ').map((task) => `rake db:${task}`),
    ...['db push --force-reset', 'db push --accept-data-loss'].map((words) => `prisma ${words}`),
    ...['php artisan', './artisan'].flatMap((artisan) =>
      'migrate:fresh migrate:reset migrate:refresh migrate:rollback db:wipe'
        .split(' ')
        .map((task) => `${artisan} ${task}`),
    ),
    ...['python3 ./manage.py flush', 'python manage.py reset_db', 'django-admin reset_db', 'django-admin sqlflush'],
    ...'db:drop db:migrate:undo:all migrate:down schema:drop migration:revert'
      .split(' ')
      .map((task) => `typeorm ${task}`),
    ...'psql mysql mariadb sqlite3 sqlite duckdb clickhouse-client cockroach sqlcmd bq sqlplus snowsql usql pgcli mycli'
      .concat(' litecli mongosh mongo wrangler turso')
      .split(' ')
      .map((client) => `${client} "drop table x"`),
    ...'table database schema view materialized index column user role sequence type function trigger keyspace collection'
      .concat(' if')
      .split(' ')
      .map((kind) => `psql -c 'drop ${kind} x'`),
    ...['truncate table x', 'truncate "x"', 'delete from x', 'replace into x', 'update x set', 'alter table x drop y']
      .concat([
        'vacuum full',
        'db.dropDatabase()',
        'dropCollection()',
        'dropIndex()',
        'dropIndexes()',
        'x.deleteMany()',
      ])
      .concat(['x.deleteOne()', 'db.x.drop()', 'db.x.remove()'])
      .map((sql) => `mongosh '${sql}'`),
    ...[
      'rmtree',
      'os.remove',
      'os.unlink',
      'os.rmdir',
      'os.removedirs',
      'x.unlink',
      'unlinkSync',
      'rmSync',
      'rmdirSync',
    ]
      .concat([
        'fs.rm',
        'fs.unlink',
        'fs.rmdir',
        'fs.truncate',
        'fs.rmdirAll',
        'Deno.remove',
        'Deno.removeSync',
        'rimraf',
      ])
      .concat(['removeSync', 'emptyDirSync', 'File.delete', 'File.unlink', 'FileUtils.rm', 'FileUtils.rm_rf'])
      .concat(['unlink', 'rmdir', 'truncateSync'])
      .map((name) => `node -e '${name}("x")'`),
    // Packages
    ...[
      'npm unpublish x',
      'npm --otp 1 unpublish x',
      'yarn npm unpublish x',
      'cargo yank x',
      'gem yank x',
      'npm dist-tag rm x y',
    ],
    ...['owner rm', 'team destroy', 'org rm', 'access revoke'].map((words) => `pnpm ${words} x`),
    ...['cargo owner --remove x', 'gem owner -r x'],
    // git, also with options before the subcommand, joined and shortened
    ...[
      'git clean -fdx',
      'git -C d clean -f',
      'git -c a.b=c clean -f',
      'git --git-dir=x clean -df',
      'git reset --hard',
      'git reset --har HEAD~1',
    ],
    ...[
      'git reset --merge',
      'git reset --keep x',
      'git checkout -- a.ts',
      'git checkout .',
      'git checkout -fq',
      'git checkout --for main',
    ],
    ...[
      'git checkout HEAD~1 src',
      'git checkout a.ts',
      'git checkout src/',
      'git checkout -B x',
      'git restore a',
      'git restore --staged --worktree a',
    ],
    ...[
      'git restore -SW a',
      'git switch -f x',
      'git switch --disc x',
      'git switch -C x',
      'git stash drop',
      'git stash clear',
      'git branch -D x',
    ],
    ...[
      'git branch -dr origin/x',
      'git branch --del --remotes origin/x',
      'git branch -d --force x',
      'git branch -f x y',
      'git branch -M x',
      'git tag -d v1',
      'git tag -f v1',
      'git rm -f a',
      'git rm -rf a',
      'git rm --forc a',
    ],
    ...[
      'git push --force',
      'git push -f',
      'git push -fu origin main',
      'git push -uf',
      'git push --forc',
      'git push --force-with-lease=main',
    ],
    ...[
      'git push --force-if-includes',
      'git push --delete origin x',
      'git push -d origin x',
      'git push origin :x',
      'git push origin +main',
    ],
    ...[
      'git push --mirror',
      'git push --mirr',
      'git push --prune origin',
      'git push origin +a:b',
      'git fetch -f',
      'git fetch origin +a:b',
      'git pull --force',
    ],
    ...[
      'git filter-branch --tree-filter x',
      'git filter-repo --path x',
      'git reflog expire --expire=now --all',
      'git reflog delete x',
    ],
    ...[
      'git gc --prune=now',
      'git gc --aggressive --prune=all',
      'git prune',
      'git update-ref -d refs/heads/x',
      'git update-ref --stdin',
    ],
    ...[
      'git worktree remove --force x',
      'git worktree remove x',
      'git submodule deinit -f x',
      'git remote rm origin',
      'git notes remove x',
    ],
    ...[
      'git merge --abort',
      'git rebase --abort',
      'git symbolic-ref -d x',
      'git replace -d x',
      'git mv -f a b',
      'git read-tree --reset x',
    ],
    ...['git checkout-index -fa', 'git lfs prune', 'git annex drop x', 'git fetch --force'],
    ...[
      'git checkout-index --force -a',
      'git read-tree -u x',
      'git tag --delete v1',
      'git tag --force v1',
      'git pull -f',
    ],
    ...['git mv --force a b', 'git reflog drop x', 'git annex dropunused 1', 'git annex uninit', 'git notes prune'],
    ...['update-ref', 'symbolic-ref', 'replace'].map((name) => `git ${name} --delete x`),
    ...['git remote remove x', 'git remote prune x', 'git reflog expire', 'git stash clear', 'git branch --force x y'],
    ...['cherry-pick', 'revert', 'am'].map((name) => `git ${name} --abort`),
  ])('is known: %s', (command) => {
    // The end of a sentence.
    expect(destructiveEffect({ command })).toMatch(/^(?:can )?[a-z]+ .*[a-z]/);
  });

  it.each([
    ...[
      'npm test',
      'npm install',
      'npm run clean',
      'ls',
      'echo rm',
      'echo "rm x"',
      'grep -r "rm -rf" .',
      'dd if=a',
      'find . -name x',
      '"',
      '',
    ],
    ...[
      'docker run -v a:b x',
      'docker-compose logs -v',
      'docker-compose up',
      'kubectl create --force x',
      'kubectl apply x',
    ],
    ...['kubectl apply --prune --dry-run=server', 'kind get clusters', 'helm list', 'helm rollback x --dry-run'],
    ...['terraform plan -destroy', 'pulumi stack ls', 'sls info', 'vagrant up', 'virsh list', 'glab mr -X DELETE'],
    ...['aws s3 rm x --dry-run', 'aws s3 rm x --dryrun', 'docker build --r x', 'helm upgrade x'],
    ...['docker-compose down', 'gh api -X DELETED x', 'mysqladmin status', 'prisma generate reset', 'prisma db push'],
    ...['./artisan migrate', 'django-admin check', 'mix test', 'alembic upgrade head', 'knex migrate:latest'],
    ...[
      'npm unpublish x --dry-run',
      'npm dist-tag ls',
      'cargo owner --list',
      'cargo build -r',
      'psql -c "drops table"',
    ],
    ...['psql -c "truncate"', 'psql -c "vacuum"', 'psql -c "alter table x add y"', 'node -e "unlinked(1)"'],
    ...['git checkout-index -a', 'git read-tree x', 'git checkout --track origin/x.y', 'git checkout --orphan x.y'],
    ...['git clean --dry-run', 'git prune -n', 'git prune --dry-run', 'git mv -fn a b', 'git push -n origin :x'],
    ...['git reflog expire -n', 'git rm -fn a', 'git gc --prune=1.week', 'git notes list', 'git remote add x y'],
    ...['git submodule update', 'git lfs pull', 'git annex get x', 'git merge --continue', 'git update-ref x y'],
    ...['git symbolic-ref HEAD', 'git replace a b', 'git fetch origin a:b', 'git stash show'],
    ...[
      'rclone ls a',
      'svn status',
      'hg update x',
      'hg log -C',
      'jj log',
      'docker network ls',
      'rclone sync --dry-run a b',
      'zip -r a x',
      'rsync -a a b',
      'rsync -an --delete a b',
      'rsync --dry-run --delete a b',
      'rsync --delay-updates a b',
      'chmod +x a',
      'mkdir -p a',
      'touch a',
    ],
    ...[
      'docker ps',
      'docker run x',
      'docker build .',
      'docker compose up',
      'docker compose down',
      'kubectl get pods',
      'kubectl delete x --dry-run=client',
      'az storage blob delete-batch -s x --dryrun',
      'az deployment group delete --what-if',
    ],
    ...[
      'terraform plan',
      'terraform apply',
      'aws s3 ls',
      'gcloud compute instances list',
      'gh pr list',
      'gh api x',
      'psql -c "select 1"',
      'sqlite3 a.db .tables',
    ],
    ...[
      'echo "drop table x"',
      'redis-cli get x',
      'rails db:migrate',
      'php artisan migrate',
      'npm publish',
      'tar xf a',
      'unzip a.zip',
      'crontab -l',
    ],
    ...[
      'python3 -c "print(1)"',
      'node a.js',
      'sh cleanup.sh',
      'xargs echo',
      'git',
      'git status',
      'git add -A',
      'git commit -m "reset --hard"',
      'git push',
    ],
    ...[
      'git push origin main',
      'git push -u origin main',
      'git push -n --force',
      'git reset',
      'git reset HEAD a',
      'git reset --soft HEAD~1',
      'git checkout main',
    ],
    ...[
      'git checkout -b feature/x.y',
      'git checkout -b x origin/main',
      'git restore --staged a',
      'git restore -S a',
      'git switch x',
      'git switch -c x',
    ],
    ...[
      'git stash',
      'git stash pop',
      'git branch',
      'git branch x',
      'git branch -a',
      'git branch -d x',
      'git branch --delete x',
      'git branch -r',
      'git tag v1',
      'git rm --cached a',
      'git rm --cached -f a',
      'git rm a',
      'git rm -r a',
      'git clean -n',
      'git clean -fdn',
    ],
    ...[
      'git fetch',
      'git pull',
      'git pull --rebase',
      'git reflog',
      'git gc',
      'git worktree add x',
      'git worktree list',
      'git remote -v',
      'git mv a b',
      'git merge x',
    ],
    ...[
      'git rebase main',
      'git log --diff-filter=D',
      'x'.repeat(70_000),
      '$X ls',
      'git $X',
      'hg up',
      'python3 <<E\nprint(1)\nE',
      `${'eval '.repeat(16)}${'a '.repeat(32_000)}`,
    ],
  ])('does not include %.60s', (command) => {
    expect(destructiveEffect({ command })).toBe(undefined);
  });

  it.each([
    ['rm x', [], undefined],
    ['cd src && /bin/rm -f x; unlink y', [], undefined],
    ['rm x', ['x'], 'removes files'],
    ['rm x', undefined, 'removes files'],
    ['rm -r x', [], 'removes files'],
    ['rm -fR x', [], 'removes files'],
    ['rm --dir x', [], 'removes files'],
    ['rmdir x', [], 'removes files'],
    ['rm x; find . -delete', [], 'removes the files that it finds'],
  ])('of %s, of which %j is lost, has the effect %s', (command, overwrites, effect) => {
    expect(destructiveEffect({ command, overwrites })).toBe(effect);
  });

  it.each([
    ['rm x', 'removes files'],
    ['unzip -o a.zip', 'overwrites files'],
  ])('names the effect of %s', (command, effect) => {
    expect(destructiveEffect({ command })).toBe(effect);
  });

  it('may also be one that overwrites files', () => {
    expect(destructiveEffect({})).toBe(undefined);
    expect(destructiveEffect({ command: 'x > a', overwrites: [] })).toBe(undefined);
    expect(destructiveEffect({ command: 'x > a', overwrites: ['a', 'b'] })).toBe(
      'overwrites a, b, which git does not have as it is',
    );
  });
});
