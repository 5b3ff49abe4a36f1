import { v7 as uuidv7 } from 'uuid';

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
  /** `body_` and 32 hex digits, for the bytes of one upload. */
  blobBody(): string;
  /** `wkr_` and 32 hex digits, for a process that derives. */
  worker(): string;
  /** 32 hex digits, for who signs up: the name of its tenant and of its actor. */
  account(): string;
  /** `audit_` and 32 hex digits, for a row of the audit log. */
  audit(): string;
}

function digits(): string {
  return uuidv7().replaceAll('-', '');
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
  blobBody: () => fresh('body'),
  worker: () => fresh('wkr'),
  account: digits,
  audit: () => fresh('audit'),
};
