const TERM = 'type ... on EntityTerm { id name } ... on LiteralTerm { value }';

/** What is selected of a fact to say it in words. */
export const FACT = `subject { id name } predicate object { ${TERM} } confidence validFrom validTo`;

/** What is selected of a belief. */
export const BELIEF = `claim { subject { id name } } predicate object { ${TERM} } stance confidence confidenceInterval { lower upper } validFrom validTo`;

/** What is selected of an event. */
export const EVENT = `
  observedActor { id }
  context { observedAt }
  content {
    kind
    ... on MessageContent { role text }
    ... on TextContent { text }
    ... on TripleContent { triple { predicate polarity subject { ${TERM} } object { ${TERM} } } }
  }`;

/** What is selected of an episode. */
export const EPISODE = 'name summary startedAt';

/** What is selected of a concept. */
export const CONCEPT = 'name summary version stance confidence';

/** What is selected of a record of whatever layer. */
export const RECORD = `
  __typename id
  ... on Event { ${EVENT} }
  ... on Episode { ${EPISODE} }
  ... on Fact { ${FACT} }
  ... on Belief { ${BELIEF} }
  ... on Concept { ${CONCEPT} }`;
