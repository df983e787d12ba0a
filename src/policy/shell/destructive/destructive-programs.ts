import type { OptionNames } from './destructive-options.ts';

/** A kind of command after which something is gone that ybs cannot put back. */
export interface DestructiveProgram {
  readonly programs: string;
  /** Alternatives of the words that follow, between which options may stand. Absent: none are needed. */
  readonly words?: readonly string[];
  /** An option of which one must be there: letters, also joined, or whole names, also shortened. */
  readonly options?: OptionNames;
  /** The form of a word of which one must be there. */
  readonly has?: RegExp;
  /** The form of a word with which nothing happens. */
  readonly unless?: RegExp;
  /** The effect, as the end of a sentence about the command. */
  readonly effect: string;
}

const DRY_RUN = /^--(?:dry-run|dryrun|what-if)(?:=(?!false|none).*)?$/;
const CLOUD =
  /^(?:.*[:-])?(?:delete|destroy|remove|rm|rb|purge|terminate|deregister|drop|reset|flush|empty|revoke)(?:[:-].*)?$/;

/** Programs that destroy, by their names. Those of git are in a table of their own. */
export const DESTRUCTIVE_PROGRAMS: readonly DestructiveProgram[] = [
  // Files
  { programs: 'rm rmdir unlink srm rimraf del erase rd remove-item trash-empty wipe', effect: 'removes files' },
  { programs: 'shred scrub', effect: 'overwrites files so that nothing is left of them' },
  { programs: 'truncate', effect: 'cuts files off' },
  { programs: 'dd dcfldd ddrescue', has: /^of=(?!\/dev\/null$)|^[^=-]+$/, effect: 'overwrites a file or a disk' },
  { programs: 'find', has: /^-delete$/, effect: 'removes the files that it finds' },
  {
    programs: 'rsync',
    has: /^--(?:del(?!ay)|remove-s)/,
    unless: /^(?:-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/,
    effect: 'removes files',
  },
  {
    programs: 'rclone',
    words: ['sync', 'delete', 'deletefile', 'purge', 'move', 'moveto', 'rmdir', 'rmdirs', 'cleanup'],
    unless: DRY_RUN,
    effect: 'removes files',
  },
  { programs: 'tar bsdtar', options: { long: 'remove-files' }, effect: 'removes the files that it packs' },
  { programs: 'zip 7z', has: /^(?:-[a-zA-Z]*m[a-zA-Z]*|--move|-sdel)$/, effect: 'removes the files that it packs' },
  { programs: 'unzip', options: { short: 'o' }, effect: 'overwrites files' },
  {
    programs: 'chmod chown chgrp setfacl',
    options: { short: 'R', long: 'recursive' },
    effect: 'changes the access to all files in a directory',
  },
  {
    programs: 'svn',
    words: ['revert', 'delete', 'rm', 'remove', 'cleanup'],
    effect: 'discards changes that are not committed',
  },
  {
    programs: 'hg',
    words: ['revert', 'purge', 'clean', 'strip', 'rollback', 'histedit'],
    effect: 'discards changes that are not committed',
  },
  {
    programs: 'hg',
    words: ['update', 'up', 'checkout', 'co', 'merge'],
    options: { short: 'C', long: 'clean abort' },
    effect: 'discards changes that are not committed',
  },
  {
    programs: 'jj',
    words: ['abandon', 'restore', 'op restore', 'branch delete', 'bookmark delete'],
    effect: 'discards changes',
  },
  // Disks and users
  {
    programs: 'mkfs mke2fs mkswap wipefs blkdiscard fdisk sfdisk sgdisk parted cryptsetup newfs',
    effect: 'formats a disk',
  },
  { programs: 'crontab', options: { short: 'r' }, effect: 'removes the jobs of the user' },
  { programs: 'userdel groupdel deluser delgroup', effect: 'removes a user' },
  // Containers and clusters
  {
    programs: 'docker podman nerdctl',
    words: [
      ...['rm', 'rmi', 'system prune', 'system reset', 'volume rm', 'volume remove', 'volume prune', 'image rm'],
      ...['image remove', 'image prune', 'container rm', 'container remove', 'container prune', 'network rm'],
      ...['network remove', 'network prune', 'builder prune', 'buildx prune', 'buildx rm', 'compose rm', 'pod rm'],
      ...['stack rm', 'service rm', 'secret rm', 'config rm', 'swarm leave', 'context rm', 'machine rm', 'pod prune'],
    ],
    effect: 'removes containers, images or their data',
  },
  {
    programs: 'docker podman nerdctl',
    words: ['compose down'],
    has: /^(?:-[a-z]*v[a-z]*|--v(?:o.*)?|--r(?:m|mi)?(?:=.*)?)$/,
    effect: 'removes containers with their data',
  },
  {
    programs: 'docker-compose podman-compose',
    words: ['down'],
    has: /^(?:-[a-z]*v[a-z]*|--v(?:o.*)?|--r(?:m|mi)?(?:=.*)?)$/,
    effect: 'removes containers with their data',
  },
  { programs: 'docker-compose podman-compose', words: ['rm'], effect: 'removes containers' },
  {
    programs: 'kubectl oc k3s microk8s',
    words: ['delete', 'drain', 'kubectl delete'],
    unless: DRY_RUN,
    effect: 'removes resources of the cluster',
  },
  {
    programs: 'kubectl oc',
    words: ['replace', 'apply'],
    has: /^--(?:force|prune)(?:=true)?$/,
    unless: DRY_RUN,
    effect: 'removes resources of the cluster',
  },
  { programs: 'kind minikube k3d', words: ['delete', 'cluster delete'], effect: 'removes a cluster' },
  {
    programs: 'helm',
    words: ['uninstall', 'delete', 'del', 'un', 'rollback'],
    unless: DRY_RUN,
    effect: 'removes a release from the cluster',
  },
  // Machines and services that a file describes
  {
    programs: 'terraform tofu terragrunt',
    words: ['destroy', 'state rm', 'workspace delete', 'run-all destroy', 'taint', 'force-unlock'],
    effect: 'removes what it manages',
  },
  {
    programs: 'terraform tofu terragrunt',
    words: ['apply', 'run-all apply'],
    has: /^--?(?:destroy|auto-approve|replace)(?:=.*)?$/,
    effect: 'can remove what it manages',
  },
  { programs: 'pulumi', words: ['destroy', 'stack rm', 'state delete'], effect: 'removes what it manages' },
  {
    programs: 'cdk sst copilot sam serverless sls eksctl',
    words: ['destroy', 'remove', 'delete', 'app delete'],
    effect: 'removes what it manages',
  },
  { programs: 'vagrant', words: ['destroy'], effect: 'removes a machine' },
  { programs: 'virsh', words: ['undefine', 'destroy', 'vol-delete'], effect: 'removes a machine' },
  {
    programs: 'aws',
    has: /^(?:--delete|--remove|rb|rm|(?:delete|terminate|deregister|remove|purge|revoke|batch-delete)-.*)$/,
    unless: /^--dry-?run$/,
    effect: 'removes resources of the cloud',
  },
  {
    programs: 'gcloud az gsutil bq doctl heroku fly flyctl vercel netlify firebase railway supabase wrangler',
    has: CLOUD,
    unless: DRY_RUN,
    effect: 'removes resources of a service',
  },
  { programs: 'gh glab', has: /^(?:delete|delete-asset|remove)$/, effect: 'removes something on the server' },
  {
    programs: 'gh glab',
    words: ['api'],
    has: /^(?:-X|--method)?=?DELETE$/i,
    effect: 'removes something on the server',
  },
  // Databases
  { programs: 'dropdb dropuser', effect: 'removes a database' },
  { programs: 'mysqladmin mariadb-admin', words: ['drop'], effect: 'removes a database' },
  { programs: 'redis-cli valkey-cli', has: /^(?:flushall|flushdb|del|unlink)$/i, effect: 'removes data of a database' },
  {
    programs: 'rails rake bin/rails',
    has: /^db:(?:drop|reset|purge|schema:load|structure:load|migrate:reset|truncate_all|setup)(?::.*)?$/,
    effect: 'removes a database',
  },
  {
    programs: 'prisma',
    words: ['migrate reset', 'db push'],
    has: /^(?:reset|--force-reset|--accept-data-loss)$/,
    effect: 'removes data of a database',
  },
  {
    programs: 'artisan',
    has: /^(?:migrate:(?:fresh|reset|refresh|rollback)|db:wipe)$/,
    effect: 'removes data of a database',
  },
  {
    programs: 'php',
    has: /^(?:migrate:(?:fresh|reset|refresh|rollback)|db:wipe)$/,
    effect: 'removes data of a database',
  },
  {
    programs: 'manage.py django-admin python python3',
    words: ['flush', 'reset_db', 'sqlflush', 'manage.py flush', 'manage.py reset_db', './manage.py flush'],
    effect: 'removes data of a database',
  },
  { programs: 'mix', has: /^ecto\.(?:drop|reset|rollback)$/, effect: 'removes a database' },
  { programs: 'alembic', words: ['downgrade'], effect: 'takes back changes of a database' },
  {
    programs: 'sequelize sequelize-cli knex typeorm',
    has: /^(?:db:drop|db:migrate:undo.*|migrate:(?:rollback|down)|schema:drop|migration:revert)$/,
    effect: 'removes data of a database',
  },
  // Packages
  {
    programs: 'npm pnpm yarn',
    words: ['unpublish', 'npm unpublish'],
    unless: DRY_RUN,
    effect: 'removes a published package',
  },
  {
    programs: 'npm pnpm',
    words: ['dist-tag rm', 'owner rm', 'team destroy', 'org rm', 'access revoke'],
    effect: 'removes rights or tags of a published package',
  },
  {
    programs: 'cargo gem',
    words: ['yank', 'owner'],
    has: /^(?:yank|-r|--remove)$/,
    effect: 'withdraws a published package',
  },
];

/** Clients of databases, whose words or input may be SQL. */
export const SQL_CLIENTS: ReadonlySet<string> = new Set([
  ...['psql', 'mysql', 'mariadb', 'sqlite3', 'sqlite', 'duckdb', 'clickhouse-client', 'cockroach', 'sqlcmd', 'bq'],
  ...['sqlplus', 'snowsql', 'usql', 'pgcli', 'mycli', 'litecli', 'mongosh', 'mongo', 'wrangler', 'turso'],
]);

/** SQL that removes data or tables, and the same of MongoDB. */
export const DESTRUCTIVE_SQL =
  /\b(?:drop\s+(?:table|database|schema|view|materialized|index|column|user|role|sequence|type|function|trigger|keyspace|collection|if)|truncate\s+(?:table\s+)?[\w"'`.]|delete\s+from|replace\s+into|update\s+\S+\s+set|alter\s+table\s+\S+\s+drop|drop(?:database|collection|index(?:es)?)\s*\(|delete(?:many|one)\s*\(|\.(?:drop|remove)\s*\(|vacuum\s+full)/i;

/** Code of an interpreter that removes files. */
export const DESTRUCTIVE_CODE =
  /\b(?:rmtree|os\.remove(?:dirs)?|unlink|rmdir|(?:unlink|rmdir|rm|remove|truncate|emptyDir)Sync|fs\.(?:rm|truncate)\w*|Deno\.remove\w*|rimraf|File\.delete|FileUtils\.rm\w*)\b/;
