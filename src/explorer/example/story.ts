/** Where the example lives. */
export const EXAMPLE_SCOPE = 'user:example';

/** Who is in the story, and what it is about. */
const MAREN = { entity: { id: 'ent_example_maren', name: 'Maren' } };
const TERN = { entity: { id: 'ent_example_tern', name: 'Tern' } };
const JONAS = { entity: { id: 'ent_example_jonas', name: 'Jonas' } };

type TermInput =
  | { readonly entity: { readonly id: string; readonly name: string } }
  | { readonly literal: { readonly datatype: 'string'; readonly value: string } };

/** A statement as somebody makes it; what was concluded names its premises by the names of their moments. */
interface Statement {
  readonly subject: TermInput;
  readonly predicate: string;
  readonly object: TermInput;
  readonly validFrom?: string;
  readonly polarity?: 'negative';
  readonly confidence?: number;
  readonly concludedFrom?: readonly string[];
}

/** One event of the story. */
export interface Moment {
  /** Unique in the story: it makes loading it twice safe, and later moments refer to it. */
  readonly name: string;
  readonly at: string;
  readonly by: string;
  readonly says: string | Statement;
}

/** What is captured together, and so recorded at one instant; what a later chapter concludes from it has to be stored before. */
export interface Chapter {
  readonly title: string;
  readonly moments: readonly Moment[];
}

function place(name: string): TermInput {
  return { entity: { id: `ent_example_${name.toLowerCase()}`, name } };
}

function text(value: string): TermInput {
  return { literal: { datatype: 'string', value } };
}

const MAREN_SAYS = 'user:maren';
const JONAS_SAYS = 'user:jonas';

const ARRIVAL: Chapter = {
  title: 'Maren buys a boat',
  moments: [
    {
      name: 'bought',
      at: '2024-05-04T18:20:00Z',
      by: MAREN_SAYS,
      says: 'I signed for the Tern today. She lies in Bergen, her planks are dry, and I have two summers of work before me.',
    },
    {
      name: 'owns',
      at: '2024-05-04T18:21:00Z',
      by: MAREN_SAYS,
      says: { subject: MAREN, predicate: 'owns', object: TERN, validFrom: '2024-05-04' },
    },
    {
      name: 'bergen',
      at: '2024-05-04T18:22:00Z',
      by: MAREN_SAYS,
      says: { subject: MAREN, predicate: 'lives_in', object: place('Bergen'), validFrom: '2023-08-01' },
    },
    {
      name: 'harbour',
      at: '2024-05-05T09:00:00Z',
      by: MAREN_SAYS,
      says: { subject: TERN, predicate: 'located_in', object: place('Bergen'), validFrom: '2024-05-04' },
    },
    {
      name: 'jonas',
      at: '2024-05-06T10:15:00Z',
      by: MAREN_SAYS,
      says: { subject: JONAS, predicate: 'works_as', object: text('boatbuilder'), validFrom: '2009-01-01' },
    },
  ],
};

const MOVES: Chapter = {
  title: 'She moves',
  moments: [
    {
      name: 'tromso',
      at: '2025-03-02T20:00:00Z',
      by: MAREN_SAYS,
      says: { subject: MAREN, predicate: 'lives_in', object: place('Tromsø'), validFrom: '2025-03-01' },
    },
    {
      name: 'tromso-words',
      at: '2025-03-02T20:02:00Z',
      by: MAREN_SAYS,
      says: 'The new flat in Tromsø has a view of the sound. The Tern stays with Jonas in Bergen until the hull is done.',
    },
  ],
};

const LATE: Chapter = {
  title: 'A move that is told late',
  moments: [
    {
      name: 'alesund',
      at: '2025-04-11T08:30:00Z',
      by: JONAS_SAYS,
      says: { subject: MAREN, predicate: 'lives_in', object: place('Ålesund'), validFrom: '2024-09-15' },
    },
    {
      name: 'alesund-words',
      at: '2025-04-11T08:31:00Z',
      by: JONAS_SAYS,
      says: 'For the record: between Bergen and Tromsø Maren lived in Ålesund, from the middle of September. I sent the drawings there.',
    },
  ],
};

const REGISTRY: Chapter = {
  title: 'What the registry has',
  moments: [
    {
      name: 'registry',
      at: '2025-05-20T11:00:00Z',
      by: 'system:ship-registry',
      says: {
        subject: TERN,
        predicate: 'built_in',
        object: text('1962'),
        validFrom: '1962-01-01',
        confidence: 0.9,
      },
    },
  ],
};

const PLATE: Chapter = {
  title: 'Another source, which disagrees',
  moments: [
    {
      name: 'plate',
      at: '2025-06-03T15:40:00Z',
      by: JONAS_SAYS,
      says: {
        subject: TERN,
        predicate: 'built_in',
        object: text('1958'),
        validFrom: '1962-01-01',
        confidence: 0.8,
      },
    },
    {
      name: 'plate-words',
      at: '2025-06-03T15:42:00Z',
      by: JONAS_SAYS,
      says: 'Under six coats of paint there is a plate on the keel: yard number 41, and the year is 1958, not what the registry has.',
    },
  ],
};

const SURVEY: Chapter = {
  title: 'A survey, and what is concluded from it',
  moments: [
    {
      name: 'sound',
      at: '2025-09-12T13:00:00Z',
      by: 'user:surveyor',
      says: {
        subject: TERN,
        predicate: 'hull_condition',
        object: text('sound'),
        validFrom: '2025-09-12',
        confidence: 0.95,
      },
    },
    {
      name: 'sound-words',
      at: '2025-09-12T13:05:00Z',
      by: 'user:surveyor',
      says: 'Survey of the Tern: planking tight, moisture below fifteen per cent, the hull is sound.',
    },
  ],
};

const CONCLUSION: Chapter = {
  title: 'A plan that rests on the survey',
  moments: [
    {
      name: 'launch',
      at: '2025-09-14T19:30:00Z',
      by: MAREN_SAYS,
      says: {
        subject: TERN,
        predicate: 'ready_for',
        object: text('launch in May'),
        validFrom: '2025-09-14',
        concludedFrom: ['sound'],
      },
    },
    {
      name: 'launch-words',
      at: '2025-09-14T19:32:00Z',
      by: MAREN_SAYS,
      says: 'If the hull is sound, nothing is in the way: we launch in May, and the berth in Tromsø is booked.',
    },
  ],
};

const FALL: Chapter = {
  title: 'The premise falls',
  moments: [
    {
      name: 'unsound',
      at: '2026-02-03T16:10:00Z',
      by: JONAS_SAYS,
      says: {
        subject: TERN,
        predicate: 'hull_condition',
        object: text('sound'),
        polarity: 'negative',
        validFrom: '2026-02-03',
      },
    },
    {
      name: 'unsound-words',
      at: '2026-02-03T16:12:00Z',
      by: JONAS_SAYS,
      says: 'I took the garboard off. The frames behind it are soft from the third to the seventh: the hull is not sound, whatever the survey says.',
    },
  ],
};

/** The story from the beginning: moves, a correction, a conflict, and a conclusion whose premise falls. */
export const CHAPTERS: readonly Chapter[] = [ARRIVAL, MOVES, LATE, REGISTRY, PLATE, SURVEY, CONCLUSION, FALL];
