/** The working documents of a noun. */
export interface IdeExamples {
  readonly name: string;
  /** Named operations, each after the comment that tells what it is for. */
  readonly document: string;
  /** What all of them take together; names in double braces (`{{event_id}}`, …) stand for variables of the environment. */
  readonly variables: Readonly<Record<string, unknown>>;
}
