import { EpisodeBook, NO_EPISODES, replayBook } from '../../src/derive/episode/book.ts';
import { centralityOf, summaryOf, type EpisodeEvent } from '../../src/derive/episode/episode.ts';

const DAY = 86_400_000;
const WEEK = 7 * DAY;
let position = 0;

/** The next event of a log: what is not given does not matter. */
function event(day: number, more: Partial<EpisodeEvent> = {}): EpisodeEvent {
  position += 1;
  return {
    id: `e${position}`,
    position,
    recorded_at: 1000 * position,
    observed_at: day * DAY,
    threads: ['subject'],
    preceded_by: [],
    role: 'follow_up',
    quote: `text ${position}`,
    ...more,
  };
}

describe('episodes', () => {
  beforeEach(() => {
    position = 0;
  });

  function book(): EpisodeBook {
    return new EpisodeBook('c1', WEEK, NO_EPISODES);
  }

  it('hold what shares a session, whatever it is about, and what shares a subject', () => {
    const told = book();
    const first = told.admit(event(0, { threads: ['session', 'x'] }));
    const second = told.admit(event(1, { threads: ['session', 'y'] }));
    const third = told.admit(event(2, { threads: ['y'] }));
    const other = told.admit(event(2, { threads: ['z'] }));
    expect([second.episode_id, third.episode_id]).toEqual([first.episode_id, first.episode_id]);
    expect(other.episode_id).not.toBe(first.episode_id);
  });

  it('hold what names an event of theirs as what led to it', () => {
    const told = book();
    const first = told.admit(event(0, { threads: ['x'] }));
    expect(told.admit(event(6, { threads: ['y'], preceded_by: ['e1'] })).episode_id).toBe(first.episode_id);
    expect(told.admit(event(6, { threads: ['z'], preceded_by: ['nothing'] })).episode_id).not.toBe(
      first.episode_id,
    );
  });

  it('are sealed by a related event beyond the window, which opens one that follows', () => {
    const told = book();
    const first = told.admit(event(0));
    expect(told.admit(event(7)).episode_id).toBe(first.episode_id);
    const later = told.admit(event(14.001));
    expect(later.sealed).toEqual([first.episode_id]);
    const [before, after] = told.episodes;
    expect(before).toMatchObject({ sealed_at: 3000, count: 2 });
    expect(before?.rows.at(-1)).toMatchObject({ ended_at: 7 * DAY, closing: 'text 2' });
    expect(after).toMatchObject({ follows: first.episode_id, sealed_at: null });
  });

  it('stay open for what comes late, and take its place in time', () => {
    const told = book();
    told.admit(event(5));
    told.admit(event(0, { recorded_at: 9000 }));
    expect(told.episodes).toHaveLength(1);
    expect(told.episodes[0]?.rows.map(({ name, recorded_from }) => [name, recorded_from])).toEqual([
      ['text 1', 1000],
      ['text 2', 9000],
    ]);
  });

  it('that are sealed take nothing in: what comes late opens one that names its predecessor', () => {
    const told = book();
    const first = told.admit(event(0));
    told.sealIdle({ after_offset: 1, recorded_at: 5000, idle_before: 4000 });
    const late = told.admit(event(1));
    expect(late.episode_id).not.toBe(first.episode_id);
    expect(told.episodes[1]?.follows).toBe(first.episode_id);
    expect(told.admit(event(2)).episode_id).toBe(late.episode_id);
  });

  it('are not idle while events are recorded, however old what they tell is', () => {
    const told = book();
    told.admit(event(-20_000));
    told.sealIdle({ after_offset: 1, recorded_at: 5000, idle_before: 1000 });
    expect(told.episodes[0]?.sealed_at).toBeNull();
  });

  it('have the same ids when they are replayed', () => {
    const events = [event(0), event(1), event(20), event(3)];
    const ids = (): string[] =>
      replayBook('c1', WEEK, { events, seals: [] }).book.episodes.map(({ id }) => id);
    expect(ids()).toEqual(ids());
    expect(ids()[0]).toMatch(/^ep_[0-9a-f]{32}$/);
    expect(replayBook('c2', WEEK, { events, seals: [] }).book.episodes[0]?.id).not.toBe(ids()[0]);
  });

  it('begin and end their summary with what was said', () => {
    expect(summaryOf({ opening: 'Lift-off.', closing: null })).toBe('Lift-off.');
    expect(summaryOf({ opening: 'Lift-off.', closing: 'Splashdown.' })).toBe('Lift-off. … Splashdown.');
  });

  it('weigh more as events double', () => {
    expect([1, 2, 3, 4, 8].map(centralityOf)).toEqual([0, 0.5, 0.5, 2 / 3, 0.75]);
  });
});
