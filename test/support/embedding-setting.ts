/** What a service under test makes vectors by: nothing where its settings say nothing of it, so that nothing is fetched. */
export function embeddingSetting(environment: Readonly<Record<string, string>>): Record<string, string> {
  const { STRATA_EMBEDDING_PROVIDER: provider, STRATA_EMBEDDING_URL: url } = environment;
  return provider === undefined && url === undefined ? { STRATA_EMBEDDING_PROVIDER: 'none' } : {};
}
