import { open } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import { filesBelow, hasCode, namesIn } from '../../machine/files.ts';
import { FileScanner } from './file.ts';
import type { Form } from './needles.ts';
import { isCache, placeOf, sharesPrefixes, type PlaceClass } from './places.ts';

/** A place where a text lies. */
export interface Find {
  /** Path within the data directory, with slashes. */
  readonly file: string;
  /** Byte of the file; of what is packed that of the block of the property. */
  readonly offset: number;
  /** The text, by its place in the list of texts. */
  readonly text: number;
  readonly form: Form;
  readonly place: PlaceClass;
}

/** What a scan came past. */
export interface ScanReport {
  readonly files: number;
  readonly bytes: number;
  readonly finds: number;
  /** Files that could not be read. */
  readonly unread: readonly string[];
  /** Folders that were passed over because they are caches. */
  readonly excluded: readonly string[];
  /** Files of full-text indexes that were looked through, in which not every word stands whole. */
  readonly partly: number;
}

/** What watches a scan. */
export interface ScanWatch {
  readonly onFind: (find: Find) => void;
  readonly tell: (done: { files: number; bytes: number }) => void;
  /** Ends it between two files, with the signal's reason thrown. */
  readonly signal: AbortSignal;
}

/** Looks for texts in every file of a data directory; files are read piece by piece, and nothing is changed. */
export async function scanDirectory(
  dataDir: string,
  texts: readonly string[],
  { onFind, tell, signal }: ScanWatch,
): Promise<ScanReport> {
  const scanner = new FileScanner(texts);
  const names = await namesIn(dataDir);
  const report = { files: 0, bytes: 0, finds: 0, unread: [] as string[], partly: 0 };
  for (const name of names.filter((one) => !isCache(one)).sort()) {
    for await (const { path, bytes } of filesBelow(join(dataDir, name))) {
      signal.throwIfAborted();
      const file = relative(dataDir, path).split(sep).join('/');
      const place = placeOf(file);
      const isRead = await scanFile(scanner, { path, file }, (text, form, offset) => {
        report.finds += 1;
        onFind({ file, offset, text, form, place });
      });
      if (!isRead) report.unread.push(file);
      if (sharesPrefixes(`/${file}`)) report.partly += 1;
      report.files += 1;
      report.bytes += bytes;
      tell(report);
    }
  }
  return { ...report, excluded: names.filter(isCache) };
}

/** Looks through one file; false when it may not be read. One that went away meanwhile holds nothing. */
async function scanFile(
  scanner: FileScanner,
  { path, file }: { path: string; file: string },
  onFind: Parameters<FileScanner['scan']>[2],
): Promise<boolean> {
  try {
    const opened = await open(path, 'r');
    try {
      await scanner.scan(opened, file, onFind);
    } finally {
      await opened.close();
    }
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true;
    if (hasCode(error, 'EACCES', 'EPERM')) return false;
    throw error;
  }
}
