import type { Base } from './base.ts';
import { BlobReader, BlobWriter } from '../../graph/blob.ts';
import type { Database } from '../../graph/driver.ts';
import { KeyedBlobStore } from '../../graph/keyed-blob.ts';
import { BlobAccess } from '../services/blob-access.ts';
import { BlobIntake } from '../services/blob-intake.ts';
import { BlobRemoval } from '../services/blob-removal.ts';
import { BlobService } from '../services/blob.ts';
import type { AccessService } from '../services/access.ts';
import { KeyedBlobService } from '../services/keyed-blob.ts';
import { UploadBudget } from '../services/upload-budget.ts';

/** What keeps blobs. */
export interface BlobRoom {
  readonly blob: BlobService;
  readonly keyedBlob: KeyedBlobService;
  /** Says which blobs a caller may refer to. */
  readonly blobs: BlobAccess;
  /** Removes the bytes of deleted ones. */
  readonly removal: BlobRemoval;
}

/** Builds what keeps blobs, and its gauge. */
export function createBlobs(database: Database, access: AccessService, base: Base): BlobRoom {
  const { clock, ids, metrics, uploadKeyHash } = base;
  const reader = new BlobReader(database);
  const writer = new BlobWriter(database);
  const blobs = new BlobAccess(access, reader);
  const removal = new BlobRemoval({ writer, clock });
  const uploads = new UploadBudget();
  metrics.gauge('strata_blob_upload_bytes', () => uploads.bytes);
  const intake = new BlobIntake({ writer, uploads, ids, clock });
  const both = { access, blobs, removal, intake, clock };
  const keys = new KeyedBlobStore(database);
  return {
    blob: new BlobService({ ...both, reader, writer }),
    keyedBlob: new KeyedBlobService({ ...both, keys, uploadKeyHash, ids, metrics }),
    blobs,
    removal,
  };
}
