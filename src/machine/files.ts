import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether a failure of the system or a program has one of these codes (`ENOENT`, `1`, …). */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}

/** The text of a file, or null when there is none. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

/** Writes a file so that a reader sees the old text or the new one, never a part. Mode 0600. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, path);
}

/** The names in a directory; none when it is not there. */
export async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

/** What a JSON text says; null for one that is damaged, as a file is after a loss of power. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A file below a directory. */
export interface FoundFile {
  /** Its path, beginning with that of the directory. */
  readonly path: string;
  /** What it takes, bytes. */
  readonly bytes: number;
}

/** Every regular file at or below a path, in the order of names; links are not followed, and what goes away meanwhile is passed over. */
export async function* filesBelow(path: string): AsyncGenerator<FoundFile> {
  const found = await lookAt(path);
  if (found?.isFile() === true) yield { path, bytes: found.size };
  if (found?.isDirectory() !== true) return;
  for (const name of (await namesIn(path)).sort()) yield* filesBelow(join(path, name));
}

/** What all files below a directory take, bytes. */
export async function bytesBelow(directory: string): Promise<number> {
  let bytes = 0;
  for await (const file of filesBelow(directory)) bytes += file.bytes;
  return bytes;
}

/** What is at a path, links not followed; null where nothing is. */
export async function lookAt(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}
