const ASCII = /^[\0-\x7f]*$/;

/** A canonical form of a name: the same for all spellings that any file system treats as one name. */
export function foldName(name: string): string {
  // The common case by far, in which the other steps change nothing.
  if (ASCII.test(name)) return name.toLowerCase();
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** A name as a careless program may read it: in any case and width, without invisible characters and a final dot. */
export function foldSpecial(name: string): string {
  if (/^[a-z0-9._-]*[a-z0-9_-]$/.test(name)) return name;
  return foldName(name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')).replace(/[. ]+$/, '');
}
