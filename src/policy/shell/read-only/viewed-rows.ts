import { READ_ONLY_PROGRAMS } from './programs.ts';
import { PROJECT_ROWS } from './viewed-project-rows.ts';
import { ANY, each, PATTERN, starts, TEXT, VERSION, type ViewedProgram, WITHOUT_OUTPUT } from './viewed-row.ts';

/**
 * The programs that a command may run without a question in a view of the workspace: read-only, without network,
 * without secrets and without the home directory. A wrong row cannot write, only fail, so that options are not listed;
 * `refuses` leaves out those that surely write, because the user is asked about these.
 */
export const VIEWED_PROGRAMS: ReadonlyMap<string, ViewedProgram> = new Map(
  Object.entries({
    ...each(Object.keys(READ_ONLY_PROGRAMS).join(' '), ANY),
    // Parts of the shell, and programs that run others, whose commands are judged as well
    ...each('cd : [ test let readonly read shift wait continue exit', ANY),
    ...each('break return set shopt pushd popd dirs getopts export tty', ANY),
    // What a trap runs is judged as well, but not where it runs.
    trap: { ...TEXT, refuses: /\bgit\b/ },
    alias: { ...TEXT, refuses: /=/ },
    bind: { opening: /^-[lpPsSvVXq]+$/ },
    complete: starts('-p, $'),
    fc: starts('-l, -ln, -lr'),
    mount: starts('$, -l$'),
    history: { refuses: /^-[a-z]*[acdnprsw]/ },
    hash: { refuses: /^-[a-z]*[pd]/ },
    // Without PATH, programs of the current directory run.
    unset: { refuses: /^PATH$/ },
    // A second name for a variable
    ...each('declare local typeset', { refuses: /^-[a-zA-Z]*n/ }),
    // Options that run a command
    ...each('mapfile readarray', { refuses: /^-[a-zA-Z]*C/ }),
    jobs: { refuses: /^-[a-zA-Z]*x/ },
    compgen: { refuses: /^-[a-zA-Z]*[CFVW]/ },
    ...each('command builtin xargs time timeout nice nohup stdbuf env fd fdfind busybox toybox', ANY),
    ...each('sh bash dash zsh', starts('-c, -lc, -ec, -ce, -xc, -n, --version')),
    npx: { leading: true, refuses: /^(?:-y|--yes|-p|--package.*|-c|--call.*)$/ },
    ...each('echo yes help envsubst', TEXT),
    printf: { ...TEXT, leading: true, refuses: /^-v/ },
    // Text and files
    ...each(
      'grep egrep fgrep ag ack ug ugrep jq bzgrep bzegrep bzfgrep xzgrep xzegrep xzfgrep zstdgrep zipgrep',
      PATTERN,
    ),
    ...each('gojq jaq pup htmlq hxselect datamash', PATTERN),
    ...each('gron fastgron jc jless jtbl fx jd dyff hcl2json yj xq', WITHOUT_OUTPUT),
    ...each(
      'csvcut csvgrep csvlook csvsort csvstat csvjoin csvjson csvformat csvclean in2csv q textql trdsql',
      WITHOUT_OUTPUT,
    ),
    ...each('xsv qsv xan tv tidy-viewer', { refuses: /^(?:-o|--output|split|partition|index|to)/ }),
    mlr: { refuses: /^(?:-[a-zA-Z]*I|tee|split|--prepipe.*)$|\b(?:system|exec)\(/ },
    xmlstarlet: starts('sel, select, el, elements, val, validate, fo, format, ls, c14n, --version'),
    rg: { ...PATTERN, refuses: /^--(?:pr|hostname)/ },
    yq: { ...PATTERN, refuses: /^(?:-[a-zA-Z]*i|--in-?place)/ },
    // Scripts that write, run programs, or are in a file
    ...each('awk gawk mawk', {
      ...PATTERN,
      refuses: /^-(?:[a-zA-Z]*[fi]$|-file|-include|-exec)|^inplace$/,
      script: /\bsystem\s*\(|@\s*\w|\|&?\s*(?:"|getline)|\bprintf?\b[^;}\n]{0,200}[>|]/,
    }),
    sed: {
      ...PATTERN,
      refuses: /^(?:-[a-zA-Z]*[if]|--i|--f)/,
      script:
        /(?:^|[;{}\n\d$/,!]|\/[IM]{1,2})\s{0,9}(?:!\s{0,9})?(?:[wWrR]\s{0,9}\S|e\s{0,9}(?:$|[;}\s]))|s([/|#,])(?:(?!\1).)*\1(?:(?!\1).)*\1[gpIiMm\d]*[ew]/s,
    },
    ...each('tree zcat zgrep zegrep zfgrep xzcat bzcat zstdcat lz4cat zdiff zcmp xzdiff bzdiff', WITHOUT_OUTPUT),
    ...each('bat batcat', { refuses: /^(?:-o|--output|--pager)/ }),
    ...each(
      'colordiff icdiff pv difft difftastic diffstat dwdiff wdiff diff3 sdiff glow mdcat mdless rich',
      WITHOUT_OUTPUT,
    ),
    ...each('less more zless zmore xzless bzless', { refuses: /^(?:\+(?!\d+$)|-[a-zA-Z]*[oO]|--log)/i }),
    ...each(
      'hexdump hd od hexyl strings nm objdump readelf size ldd cksum b2sum b3sum sum base64 base32 fold fmt',
      ANY,
    ),
    ...each(
      'basenc crc32 xxhsum xxh32sum xxh64sum xxh128sum md5deep sha256deep rhash col colrm ul expand pygmentize',
      ANY,
    ),
    ...each('unexpand pr join look factor expr bc cal ncal numfmt tsort ptx pathchk zipinfo lsattr getfattr', ANY),
    ...each('getfacl namei lzmainfo addr2line c++filt llvm-objdump llvm-nm llvm-readelf llvm-dwarfdump dwarfdump', ANY),
    ...each('otool lipo pahole', WITHOUT_OUTPUT),
    // One expression, which starts no shell and reads no further one
    dc: { opening: /^(?:-e|--expression)$/, most: 1, refuses: /[!?$`]|^-(?!e$|-expression$)./ },
    ...each('uniq xxd', { most: 1 }),
    ...each('7z 7za 7zr 7zz', starts('l, t, i, h')),
    ar: starts('t, tv, -t, p, -p'),
    jar: starts('tf, tvf, -tf, -tvf, t, --list, -t, --describe-module'),
    tee: { refuses: /^(?!-|\/dev\/(?:null|stdout|stderr)$)/ },
    date: { refuses: /^(?:-[a-zA-Z]*s|--s|\d{6})/ },
    hostname: { refuses: /^(?!-[fisIdAy]$|--(?:fqdn|long|short|ip-address|all-ip-address(?:es)?|domain)$)/ },
    file: { refuses: /^(?:-[a-zA-Z]*C|--compile)/ },
    ...each('md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum xmllint iconv', WITHOUT_OUTPUT),
    // Without a dash, it writes beside the file.
    pdftotext: { needs: /^(?:-|-v|--version|-h)$/ },
    ...each('pdfinfo pdffonts pdfimages delta', WITHOUT_OUTPUT),
    // Its format of the output, not a file
    ffprobe: { refuses: /^-o$/ },
    ...each('webpinfo pngcheck jpeginfo tiffinfo soxi mkvinfo', WITHOUT_OUTPUT),
    aspell: starts('list, dicts, --version'),
    ...each('dos2unix unix2dos', starts('-i, --info, --version')),
    ...each('exa eza lsd dust duf dua tokei cloc scc loc sloccount mediainfo shuf vivid', WITHOUT_OUTPUT),
    identify: { refuses: /^-(?:write|authenticate|debug)/ },
    // A word that sets a tag writes the file.
    exiftool: { refuses: /^-(?:o|w|[\w:-]+<?=|tagsFromFile|overwrite_original|delete_original|restore_original)/i },
    sort: { refuses: /^(?:-[a-zA-Z]*o|--o|--co)/ },
    // Of an archive, only the list and the content
    tar: {
      opening: /^(?:-?[vzjJah]*[td][vzjJahkp]*f?|--list|--diff|--compare|-O|-?[vzjJ]*(?:xO|Ox)[vzjJ]*f?|--version)$/,
      refuses: /^--(?:to-command|use-comp|checkpoint-action|info-script|new-vol|rsh|rmt|index)|^-[IF]/,
    },
    unzip: { opening: /^-[a-zA-Z]*[lptvZzc][a-zA-Z0-9]*$/ },
    ...each('unrar lsar', starts('l, lb, t, v, p, -l')),
    ...each('gzip gunzip xz unxz bzip2 bunzip2 zstd lz4', { needs: /^(?:-[a-z]*[clt][a-z]*|--(?:stdout|list|test))$/ }),
    sqlite3: {
      refuses:
        /\b(?:insert|update|delete|create|drop|alter|attach|vacuum|replace|reindex|pragma\s+\w+\s*=)\b|\b(?:writefile|load_extension|edit|fts3_tokenizer)\s*\(|^\.(?:shell|system|output|once|save|import|backup|restore|clone|log|excel|read|load|archive|ar|cd|open|www)\b|^-{1,2}(?:cmd|init|append|archive)$/i,
    },
    // The machine
    ...each('ps procs pgrep pidof top htop uptime free vmstat iostat mpstat smem lscpu lsblk lsmem lsipc', ANY),
    ...each('lsns nproc arch hostid groups users who w last getconf dir vdir pwdx pmap jps jinfo numactl', ANY),
    ...each('lshw inxi neofetch fastfetch screenfetch sensors acpi nvidia-smi rocm-smi', WITHOUT_OUTPUT),
    // It can run a program.
    pidstat: { refuses: /^-[a-zA-Z]*e/ },
    getent: { refuses: /^-|shadow$/ },
    sysctl: { refuses: /^(?:-[a-zA-Z]*[wpfr]|--(?:w|l|sys)|.*=)/ },
    ...each(
      'locale lsb_release uuidgen clear printenv times ulimit umask tput infocmp sleep getopt whatis apropos whereis figlet',
      ANY,
    ),
    stty: { refuses: /^(?!-a$|--all$|-g$|--save$|size$|speed$)/ },
    ...each('man info', { refuses: /^(?:-[a-zA-Z]*[PHo]|--pager|--html|--output)/ }),
    ...each('perldoc ri pydoc pydoc3', { refuses: /^(?:-[a-zA-Z]*[bdMnpw]|--server|--pager)/ }),
    ...each('lsof ss netstat pstree lsmod lspci lsusb findmnt mountpoint ldconfig cpuid ifconfig mktemp', ANY),
    ip: {
      ...starts('a, addr, address, l, link, r, route, rule, -4, -6, -br, -brief, n, neigh, neighbor, neighbour'),
      refuses: /^(?:set|add|append|del|delete|change|chg|replace|flush|save|restore|-b|-batch|-force)$/,
    },
    tshark: { needs: /^-r$/, refuses: /^-[2DghIlLnpPqQSvVx]*[wFiX]|^--(?:ex|te|log|in)/ },
    plutil: starts('-p, -lint'),
    dpkg: {
      opening:
        /^(?:-[lLsSpcI].*|--(?:list|listfiles|status|search|print-avail|contents|info|get-selections|compare-versions|print-architecture|print-foreign-architectures|audit|verify|version)|-C|-V)$/,
    },
    ...each('dpkg-query dpkg-architecture', ANY),
    'dpkg-deb': starts('-c, --contents, -I, --info, -f, --field, -W, --show'),
    rpm: {
      opening: /^(?:-q[a-zA-Z]*|-V[a-zA-Z]*|--query|--verify|--showrc|--version)$/,
      refuses: /^(?:-[a-zA-Z]*E|--eval|--pipe|--define|-D)/,
    },
    apk: starts('info, list, --version, search, policy, version, dot, stats'),
    ...each(
      'apt apt-cache',
      starts('list, show, showpkg, policy, search, depends, rdepends, madison, stats, pkgnames, dumpavail, --version'),
    ),
    'apt-mark': starts('showmanual, showauto, showhold, showinstall'),
    ...each(
      'dnf yum zypper',
      starts(
        'list, info, repolist, repoquery, provides, search, history, group list, grouplist, repos, packages, patterns, --version',
      ),
    ),
    pacman: { opening: /^(?:-Q[a-zA-Z]*|--query|-T|--deptest|-V|--version|-[DFQRSTU]h|-S[gils]+|-F[lxqs]*)$/ },
    brew: starts(
      'list, ls, --version, --prefix, --cellar, --repository, --cache, --env, config, deps, uses, leaves, desc, info, tap$, tap-info, commands',
    ),
    ...each('snap flatpak', VERSION),
    ...each('pkg-config pkgconf', ANY),
    ...each('alternatives update-alternatives', starts('--list, --display, --query, --get-selections')),
    ...PROJECT_ROWS,
  }),
);
