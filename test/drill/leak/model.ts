import { ModelEndpoint, statement } from '../../support/model-endpoint.ts';

/** A model that finds in a text what was agreed on for words of it, and else nothing. */
export async function startModel(
  answers: ReadonlyMap<string, Record<string, unknown>>,
): Promise<ModelEndpoint> {
  return ModelEndpoint.start(({ items }) => ({
    say: {
      statements: items.flatMap(({ item, text }) =>
        [...answers].flatMap(([words, more]) =>
          text.includes(words) ? [statement(item, { ...more, quote: words })] : [],
        ),
      ),
    },
  }));
}

/** Settings of a service that has it extract. */
export function modelSettings(endpoint: ModelEndpoint): Record<string, string> {
  return {
    STRATA_LLM_URL: endpoint.url,
    STRATA_LLM_MODEL: 'leak-mind',
    STRATA_PIPELINE_POLL_MS: '200',
    STRATA_EMBEDDING_PROVIDER: 'none',
  };
}
