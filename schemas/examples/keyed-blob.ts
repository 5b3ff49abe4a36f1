import type { ExamplesOf } from '../example.ts';
import type { KEYED_BLOB_OPERATIONS } from '../operation/keyed-blob.ts';

const KEY = '7f0c2a4e-visa';

/** An example of each of the operations on blobs by key. */
export const KEYED_BLOB_EXAMPLES = {
  uploadKeyedBlob: {
    key: KEY,
    upload: { mediaType: 'text/plain', text: 'Visa: Priya, Portugal, 90 days' },
    status: 200,
    answer: {
      protocol: 'keyed-blob-v1',
      blob_id: 'blob_01a21b4cba8a70959aa6b6a4f07538c4',
      size_bytes: 30,
      content_type: 'text/plain',
      sha256: '28d6a87b6e9f272d2adeb3bff4d09e2ace54be4366a6794240d1a146854c47be',
    },
  },
  keyedBlobStatus: {
    key: KEY,
    status: 200,
    answer: {
      protocol: 'keyed-blob-v1',
      found: true,
      blob_id: 'blob_01a21b4cba8a70959aa6b6a4f07538c4',
      status: 'live',
      size_bytes: 30,
      content_type: 'text/plain',
      sha256: '28d6a87b6e9f272d2adeb3bff4d09e2ace54be4366a6794240d1a146854c47be',
    },
  },
  retireKeyedBlob: {
    key: KEY,
    status: 200,
    answer: {
      protocol: 'keyed-blob-v1',
      blob_id: 'blob_01a21b4cba8a70959aa6b6a4f07538c4',
      status: 'retired',
      bytes_deleted: true,
    },
  },
} satisfies ExamplesOf<typeof KEYED_BLOB_OPERATIONS>;
