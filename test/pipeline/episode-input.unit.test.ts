import { envelope } from '../../schemas/envelope.ts';
import { statedRole } from '../../src/derive/episode/role.ts';
import { threadKeyOf, type EpisodeEvent } from '../../src/derive/episode/episode.ts';
import { episodeEventOf } from '../../src/pipeline/episode-input.ts';

describe('an event of an episode', () => {
  const stored = {
    id: 'evt_1',
    position: 1,
    recorded_at: 2,
    observed_at: 1,
    scope_ref: 'c1',
    subject: 'user:a',
  };
  const text = {
    scope: 'user:a',
    modality: 'conversation',
    content: { kind: 'text', text: 'Stirring the tanks' },
  };
  const parsed = (more: Record<string, unknown> = {}): EpisodeEvent | null =>
    episodeEventOf({ ...stored, envelope: envelope.parse({ ...text, ...more }) });

  it('belongs to its session and to its subject', () => {
    const subject = threadKeyOf('c1', 'subject', 'user:a');
    expect(parsed()?.threads).toEqual([subject]);
    const observed_actor = { id: 'agent:x', session: 's' };
    expect(parsed({ observed_actor })?.threads).toEqual([threadKeyOf('c1', 'session', 's'), subject]);
    expect(threadKeyOf('c1', 'session', 'user:a')).not.toBe(subject);
  });

  it('is none where it is feedback, or its directives leave episodes out', () => {
    expect(parsed({ modality: 'feedback' })).toBeNull();
    expect(parsed({ directives: { extract: [] } })).toBeNull();
    expect(parsed({ directives: { extract: ['facts'] } })).toBeNull();
    expect(parsed({ directives: { extract: ['episodes'] } })?.quote).toBe('Stirring the tanks');
  });

  it('has the role that its intent or its modality gives it', () => {
    expect(statedRole(' Decision ', 'conversation')).toBe('decision');
    expect(statedRole('complication', 'tool_result')).toBe('complication');
    expect(statedRole('constructor', 'conversation')).toBe('follow_up');
    expect(statedRole(undefined, 'tool_result')).toBe('outcome');
    expect(statedRole(undefined, 'imported')).toBe('follow_up');
  });

  it('is named by its kind where it has no words', () => {
    expect(parsed({ content: { kind: 'blob_ref', blob_id: 'blob_1' } })?.quote).toBe('blob_ref');
  });
});
