import type { ExamplesOf } from '../example.ts';
import type { BLOB_OPERATIONS } from '../operation/blob.ts';

/** An example of each of the operations on blobs. */
export const BLOB_EXAMPLES = {
  uploadBlob: {
    upload: { mediaType: 'text/plain', text: 'Boarding pass: Priya, Lisbon, seat 12A' },
    status: 201,
    answer: {
      blob_id: 'blob_83db36a72fab41227073913a4c30a66c47ba5c079f03e882157a5bae05c82e91',
      size_bytes: 38,
      content_type: 'text/plain',
      sha256: '64acdfa312af955ac1549f84934e3f68f573208a2e70681753f0affcc67dca4e',
    },
  },
  getBlob: {
    params: { id: 'blob_83db36a72fab41227073913a4c30a66c47ba5c079f03e882157a5bae05c82e91' },
    status: 200,
    answer: 'Boarding pass: Priya, Lisbon, seat 12A',
  },
  deleteBlob: {
    params: { id: 'blob_83db36a72fab41227073913a4c30a66c47ba5c079f03e882157a5bae05c82e91' },
    status: 200,
    answer: {
      blob_id: 'blob_83db36a72fab41227073913a4c30a66c47ba5c079f03e882157a5bae05c82e91',
      bytes_deleted: true,
    },
  },
} satisfies ExamplesOf<typeof BLOB_OPERATIONS>;
