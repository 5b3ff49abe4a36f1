import { NARROW_WINDOW_TURNS, WIDE_WINDOW_TURNS } from '../../src/limits/search.ts';
import { NARROW_WINDOW, WIDE_WINDOW } from '../schema.ts';

/** Consecutive turns of a thread that a session passage holds: about a sitting; each new turn has it written again. */
export const SESSION_PASSAGE_TURNS = 32;

// Parts of statements that write passages. A turn passage has a place in its thread; its windows hold the texts of the turns around it,
// and a session passage those of a segment of places. Whoever adds or removes turns brings both up to date in the same transaction, by
// what is stored. Two never do so in one scope at once: a stage, a cancel and a redaction hold the intake of the shard, and a replacement, which
// holds the log instead, takes the lock of the scope that the stage takes too.

/** Takes the locks of scopes (`ref`, a row each, in ascending order) for adding or removing their passages; behind those of shards, their intakes and the log. */
export const LOCK_PASSAGES = `MERGE (lock:PassageScope {scope_ref: ref})
     SET lock.touched = $now`;

/**
 * Says that the vectors of a passage `turn` have to be made: of one that is embedded at all, which its `embed_shard` tells. It is found
 * by its shard, what is wanted soon before what is not. In a store without a model no passage has any of these properties.
 */
export const MARK_DUE = `turn.due_shard = turn.embed_shard, turn.due_class = CASE turn.embed WHEN 'lazy' THEN 1 ELSE 0 END,
       turn.due_since = timestamp()`;

/** The places whose words the windows of a turn `p` hold, as a condition on a turn `n` of its thread; and those that a session `p` holds. */
export const IN_WINDOW = `n.place >= p.place - ${WIDE_WINDOW_TURNS} AND n.place <= p.place + ${WIDE_WINDOW_TURNS}`;
export const IN_SESSION = `n.place >= p.segment * ${SESSION_PASSAGE_TURNS} AND n.place < (p.segment + 1) * ${SESSION_PASSAGE_TURNS}`;

/** A range of turns in the order of their places, which the index gives. */
const turnsWhere = (condition: string): string =>
  `MATCH (n:Passage) USING INDEX SEEK n:Passage(thread, place) WHERE n.thread = stretch.thread AND ${condition}`;

/** Turns on either side that are read: those to be told again, and what their windows reach to. */
const REACH = 2 * WIDE_WINDOW_TURNS;

/** The text of a window: the turn's own words in full between so many texts on each side. */
const windowOf = (size: number): string =>
  `reduce(words = '', text IN texts[CASE WHEN i < ${size} THEN 0 ELSE i - ${size} END..i] | words + text + ' ') + turn.text +
       reduce(words = '', text IN texts[i + 1..i + 1 + ${size}] | words + ' ' + text)`;

/**
 * Tells the neighbourhoods of `stretches` of places: `{thread, from, to, turns}`, where `turns` are the turns that stand there now. The
 * windows of those and of the turns that they reach to are written, and the sessions that have turns. Vectors are due of those whose
 * narrow window is another one now; where turns were taken out, the former vector of that window goes at once, since it holds their words
 * and nobody may be there to make another.
 */
export const TELL_NEIGHBOURHOODS = `CALL (stretches) {
     UNWIND stretches AS stretch
     CALL (stretch) {
       ${turnsWhere('n.place < stretch.from')}
       WITH n ORDER BY n.thread DESC, n.place DESC LIMIT ${REACH}
       RETURN collect(n) AS before
     }
     CALL (stretch) {
       ${turnsWhere('n.place > stretch.to')}
       WITH n ORDER BY n.thread, n.place LIMIT ${REACH}
       RETURN collect(n) AS after
     }
     WITH DISTINCT before, stretch.turns AS added, after
     WITH reverse(before) + added + after AS turns, size(before) AS b, size(before) + size(added) AS end, size(after) AS a
     WITH turns, [n IN turns | coalesce(n.excerpt, n.text)] AS texts,
       CASE WHEN b > ${WIDE_WINDOW_TURNS} THEN b - ${WIDE_WINDOW_TURNS} ELSE 0 END AS first, b, end AS told,
       end + CASE WHEN a > ${WIDE_WINDOW_TURNS} THEN ${WIDE_WINDOW_TURNS} ELSE a END AS end
     UNWIND range(first, end - 1) AS i
     WITH turns[i] AS turn, texts, i, i >= b - ${NARROW_WINDOW_TURNS} AND i < told + ${NARROW_WINDOW_TURNS} AS near, told = b AS emptied
     SET turn.${NARROW_WINDOW} = ${windowOf(NARROW_WINDOW_TURNS)},
       turn.${WIDE_WINDOW} = ${windowOf(WIDE_WINDOW_TURNS)}
     FOREACH (former IN CASE WHEN near AND emptied THEN [true] ELSE [] END | REMOVE turn.window_vector)
     FOREACH (due IN CASE WHEN near AND turn.embed_shard IS NOT NULL THEN [true] ELSE [] END | SET ${MARK_DUE})
   }
   CALL (stretches) {
     UNWIND stretches AS stretch
     UNWIND range(stretch.from / ${SESSION_PASSAGE_TURNS}, stretch.to / ${SESSION_PASSAGE_TURNS}) AS segment
     WITH DISTINCT {thread: stretch.thread, from: segment * ${SESSION_PASSAGE_TURNS}} AS stretch, segment
     CALL (stretch) {
       ${turnsWhere(`n.place >= stretch.from AND n.place < stretch.from + ${SESSION_PASSAGE_TURNS}`)}
       WITH n ORDER BY n.thread, n.place LIMIT ${SESSION_PASSAGE_TURNS}
       RETURN collect(n) AS turns
     }
     WITH stretch.thread AS thread, segment, turns, turns[0] AS first WHERE size(turns) > 0
     MERGE (session:SessionPassage {thread: thread, segment: segment})
       ON CREATE SET session:Passage, session.kind = 'session', session.tenant = first.tenant,
         session.scope_ref = first.scope_ref, session.scope_tokens = first.scope_tokens
     SET session.session_text = substring(reduce(words = '', n IN turns | words + ' ' + coalesce(n.excerpt, n.text)), 1)
   }`;

/** Deletes the sessions of `stretches` (each of one place that is empty now) that have no turns any more. */
export const DELETE_EMPTY_SESSIONS = `CALL (stretches) {
     UNWIND stretches AS stretch
     WITH DISTINCT stretch.thread AS thread, stretch.from / ${SESSION_PASSAGE_TURNS} AS segment
     MATCH (session:SessionPassage {thread: thread, segment: segment})
     WHERE NOT EXISTS {
       MATCH (n:Passage) WHERE n.thread = thread
         AND n.place >= segment * ${SESSION_PASSAGE_TURNS} AND n.place < (segment + 1) * ${SESSION_PASSAGE_TURNS}
     }
     DETACH DELETE session
   }`;

/** Gives new turns (`added`, of any threads, those of a thread in order) their places, behind all others of their thread, and tells their neighbourhoods. */
export const PLACE_TURNS = `CALL (added) {
     UNWIND added AS turn
     WITH turn.thread AS thread, collect(turn) AS turns
     CALL (thread) {
       MATCH (n:Passage) USING INDEX SEEK n:Passage(thread, place) WHERE n.thread = thread AND n.place >= 0
       WITH n ORDER BY n.thread DESC, n.place DESC LIMIT 1
       RETURN collect(n.place) AS newest
     }
     WITH thread, turns, coalesce(newest[0], -1) + 1 AS from
     CALL (turns, from) {
       UNWIND range(0, size(turns) - 1) AS i
       WITH turns[i] AS turn, from + i AS place
       SET turn.place = place, turn.segment = place / ${SESSION_PASSAGE_TURNS}
     }
     RETURN collect({thread: thread, from: from, to: from + size(turns) - 1, turns: turns}) AS stretches
   }
   ${TELL_NEIGHBOURHOODS}`;
