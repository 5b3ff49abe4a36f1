// Bounds of what vocabularies of tenants hold are part of the contract; see schemas/vocabulary-record.ts.

/** Tenants whose vocabularies one process remembers: what all of a tenant's say together is some hundred kilobytes at most. */
export const VOCABULARIES_REMEMBERED = 64;
