/** The groups of operations in the documentation, by noun, each with a sentence on it, in the order in which they are read. */
export const TAGS = {
  experience: 'Capture what was experienced, one by one or in bulk, and ask how far it is.',
  recall: 'Bring back what bears on a question, within a budget of tokens.',
  answer: 'Have a model answer, or write a document, from memory alone and with citations.',
  event: 'Read what was captured, word for word, and cancel it.',
  fact: 'Ask what is true, what was true, what was known then, and why.',
  entity: 'Read who and what facts are about, how they are related, and link two that are one.',
  belief: 'Read how sure something is and why, and declare what is believed.',
  concept: 'Read what is understood of a thing as a whole, and how that changed.',
  episode: 'Read which events belong together.',
  record: 'Go from any record to what it rests on, and to what rests on it.',
  lifecycle: 'Follow what becomes of events: as a list, as a stream, one by one.',
  derivation: 'Ask how far everything is derived.',
  rebuild: 'Drop what was derived, and derive it again from the log.',
  forget: 'Remove what the memory is not to keep, for good, and see beforehand what would go.',
  erasure: 'Erase for good, with a receipt that proves it.',
  suppression: 'See what keeps forgotten contents from being captured again, and lift it.',
  legal_hold: 'Keep events from being forgotten, by anybody, until the hold ends.',
  conflict: 'Read where statements contradict each other, and settle it.',
  claim: 'Read statement by statement what was claimed, what has been displaced included.',
  blob: 'Keep files that events refer to.',
  temporal_phrase: 'Give phrases such as "the last sprint" a meaning in time.',
  scope: 'Say who may read and write where, and what holds there.',
  policy: 'Ask what an actor may do, and what the deployment allows.',
  auth: 'Sign up, mint and revoke tokens, and ask who calls.',
  audit: 'Read who did what, and check that nothing of it was changed.',
  usage: 'Ask what models cost.',
  health: 'Ask whether the service works, how well, and what it can do.',
  contract: 'Fetch the OpenAPI document, and the schemas in it one by one.',
} as const;

/** The noun of an operation, which is its tag. */
export type Noun = keyof typeof TAGS;
