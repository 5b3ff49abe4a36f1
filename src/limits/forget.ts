// Bounds of forgetting.

/** Ids and rows of one statement of a forgetting at most: a hundred thousand events are read in some hundreds of short statements. */
export const FORGET_PAGE = 1_000;
/** Episodes of which the events are read in one statement: hundreds of events may be in each of them. */
export const FORGET_EPISODE_PAGE = 100;
/** Ids of one statement that reads nothing but these: half a megabyte. */
export const FORGET_ID_PAGE = 10_000;
/** Statements of a forgetting that are read at a time: the rest of the connections is for others. */
export const FORGET_READS = 4;
/** Entities of one scope that one name stands for at most; with more of them a forgetting by name fails rather than leaves some. */
export const FORGET_NAMED_ENTITIES = 10_000;
/** Steps from what is forgotten to what was concluded from it: consolidation follows no longer chain. */
export const FORGET_STEPS = 256;
/** How long a preview can be executed, milliseconds: the contract's. */
export const FORGET_PREVIEW_TTL_MS = 900_000;
/** Ids in one node of a preview: some tens of kilobytes. */
export const FORGET_PREVIEW_PART_IDS = 1_000;
/** Bytes of envelopes that are read at a time while events are forgotten: one event at least, whatever its size. */
export const FORGET_READ_BYTES = 4_194_304;
/** Legal holds of one tenant, those that are over among them: all that cover a scope are asked one by one when something is to go from it. */
export const MAX_LEGAL_HOLDS = 1_000;
/** Events of which one legal hold is asked at a time, whether it holds them. */
export const HELD_EVENTS_ASKED = 1_000;
/** Events that one transaction of a forget concerns at most: keeps it short beside the captures. */
export const FORGET_STEP_EVENTS = 250;

/** A stop waits so long for requests that forget or erase, milliseconds; what is left of these goes on with the next start. */
export const FORGET_STOP_MS = 60_000;
