import { randomFillSync } from 'node:crypto';

import { v7 as uuidv7 } from 'uuid';

import { systemClock } from './clock.ts';

/** The only source of fresh identifiers; tests hand in their own. Ids sort roughly by the time they were made. */
export interface Ids {
  /** `evt_` and 32 hex digits. */
  event(): string;
  /** `req_` and 32 hex digits. */
  request(): string;
  /** `batch_` and 32 hex digits. */
  batch(): string;
  /** `entry_` and 32 hex digits, for durable entries beside the events (a cancel, …). */
  entry(): string;
  /** `syn_` and 32 hex digits, for a synthesis. */
  synthesis(): string;
  /** `link_` and 32 hex digits, for a link of entities. */
  link(): string;
  /** `blob_` and 32 hex digits, for a blob that is uploaded under a key. */
  keyedBlob(): string;
  /** `body_` and 32 hex digits, for the bytes of one upload. */
  blobBody(): string;
  /** `wkr_` and 32 hex digits, for a process that derives. */
  worker(): string;
  /** 32 hex digits, for who signs up: the name of its tenant and of its actor. */
  account(): string;
  /** `job_` and 32 hex digits, for work that is asked for and done beside requests. */
  job(): string;
  /** `audit_` and 32 hex digits, for a row of the audit log. */
  audit(): string;
  /** `pack_` and 32 hex digits, for what a recall brought. */
  pack(): string;
  /** `fpvw_` and 32 hex digits, for what a forgetting would do. */
  forgetPreview(): string;
  /** `ervw_` and 32 hex digits, for what an erasure would do. */
  erasurePreview(): string;
  /** `ers_` and 32 hex digits, for an erasure. */
  erasure(): string;
  /** `supp_` and 32 hex digits, for contents that are not captured again. */
  suppression(): string;
}

const UUID_BYTES = 16;
/** Random bytes for the next ids: asking the system for those of one id at a time takes longer than all the rest of it. */
const random = Buffer.alloc(256 * UUID_BYTES);
let taken = random.length;
/** Of the newest id: ids of one millisecond are numbered, so that they sort as they were made. */
const newest = { msecs: 0, seq: 0 };

function digits(): string {
  if (taken === random.length) {
    randomFillSync(random);
    taken = 0;
  }
  const own = random.subarray(taken, (taken += UUID_BYTES));
  const now = systemClock.now();
  if (now > newest.msecs) {
    newest.msecs = now;
    // One bit less than there is room for: a millisecond never runs out of numbers.
    newest.seq = own.readUInt32BE(6) >>> 1;
  } else newest.seq += 1;
  return uuidv7({ random: own, ...newest }, Buffer.alloc(UUID_BYTES)).toString('hex');
}

function fresh(prefix: string): string {
  return `${prefix}_${digits()}`;
}

/** Ids made of UUID version 7 (RFC 9562). */
export const systemIds: Ids = {
  event: () => fresh('evt'),
  request: () => fresh('req'),
  batch: () => fresh('batch'),
  entry: () => fresh('entry'),
  synthesis: () => fresh('syn'),
  link: () => fresh('link'),
  keyedBlob: () => fresh('blob'),
  blobBody: () => fresh('body'),
  worker: () => fresh('wkr'),
  account: digits,
  job: () => fresh('job'),
  audit: () => fresh('audit'),
  pack: () => fresh('pack'),
  forgetPreview: () => fresh('fpvw'),
  erasurePreview: () => fresh('ervw'),
  erasure: () => fresh('ers'),
  suppression: () => fresh('supp'),
};
