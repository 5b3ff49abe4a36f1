/**
 * What a field of local time says as an instant; empty for nothing. The field has whole seconds: where it still says what it was filled
 * with, the answer is `before`, the instant that filled it, to the millisecond.
 */
export function instantOf(field: unknown, before: string): string {
  if (typeof field !== 'string' || field === '') return '';
  const date = new Date(field);
  // Not compared as texts: a browser leaves seconds out where they are zero.
  return date.getTime() === new Date(localOf(before)).getTime() ? before : date.toISOString();
}

/** An instant as a field of local time has it, to the second; empty for what is no instant. */
export function localOf(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
