import { blobReferences } from '../../src/capture/blob-refs.ts';

describe('the blobs that content refers to', () => {
  it('are that of a blob_ref and those of a message, each once, with their places', () => {
    expect(blobReferences({ kind: 'blob_ref', blob_id: 'blob_a', transcript: 'words' })).toEqual([
      { blob_id: 'blob_a', path: 'content.blob_id' },
    ]);
    const media = ['blob_b', 'blob_a', 'blob_b'].map((blob_id) => ({ blob_id }));
    expect(blobReferences({ kind: 'message', role: 'user', text: 't', media })).toEqual([
      { blob_id: 'blob_b', path: 'content.media[0].blob_id' },
      { blob_id: 'blob_a', path: 'content.media[1].blob_id' },
    ]);
  });

  it('are none elsewhere', () => {
    expect(blobReferences({ kind: 'message', role: 'user', text: 'blob_a' })).toEqual([]);
    expect(blobReferences({ kind: 'json', data: { blob_id: 'blob_a' } })).toEqual([]);
  });
});
