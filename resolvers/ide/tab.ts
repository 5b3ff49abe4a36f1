/** A tab that the IDE opens with. */
export interface IdeTab {
  readonly name: string;
  /** One or more operations; the IDE has a button to send each. */
  readonly document: string;
  /** What all of them take together; names in double braces (`{{event_id}}`, …) stand for variables of the environment. */
  readonly variables: Readonly<Record<string, unknown>>;
}
