import { LAYERS, type Layer, type RecallPack } from '../../schemas/recall.ts';
import { SEPARATOR } from './context-block.ts';
import { countTokens } from './token-count.ts';

/** What the records of a pack have in common, as far as it is looked at. */
export interface PackedRecord {
  readonly id: string;
  /** Scope that it is of. */
  readonly scope: string;
}

/** Scopes of the records of a pack, each once. */
export function scopesIn(pack: Pick<RecallPack, 'layers'>): string[] {
  return [...new Set(LAYERS.flatMap((layer) => recordsOf(pack, layer).map(({ scope }) => scope)))];
}

/**
 * A pack without the records of some scopes: their lines go from the block, the others are numbered anew, and it is told how many were
 * left out, and of how many scopes.
 */
export function withoutScopes(pack: RecallPack, scopes: ReadonlySet<string>): RecallPack {
  if (scopes.size === 0) return pack;
  const kept = Object.fromEntries(
    LAYERS.map((layer) => [layer, recordsOf(pack, layer).filter(({ scope }) => !scopes.has(scope))]),
  ) as unknown as RecallPack['layers'];
  const has = new Set(
    LAYERS.flatMap((layer) => recordsOf({ layers: kept }, layer).map(({ id }) => `${layer} ${id}`)),
  );
  const lines = pack.context_block.split(SEPARATOR);
  const entries = Object.entries(pack.provenance.citations)
    .map(([marker, cited], i) => ({ marker, cited, line: lines[i] ?? '' }))
    .filter(({ cited: { layer, id } }) => has.has(`${layer} ${id}`));
  const context_block = entries
    .map(({ marker, line }, i) => line.replace(marker, `[${i + 1}]`))
    .join(SEPARATOR);
  const left = LAYERS.reduce((sum, layer) => sum + pack.layers[layer].length - kept[layer].length, 0);
  const { diagnostics, provenance } = pack;
  return {
    ...pack,
    layers: kept,
    context_block,
    provenance: {
      ...provenance,
      citations: Object.fromEntries(entries.map(({ cited }, i) => [`[${i + 1}]`, cited])),
    },
    diagnostics: {
      ...diagnostics,
      scopes_withheld: diagnostics.scopes_withheld + scopes.size,
      tokens: { ...diagnostics.tokens, used: countTokens(context_block) },
    },
    warnings: [
      ...pack.warnings,
      `${left} records of ${scopes.size} scopes were withheld from the model: llm.invoke is refused there`,
    ],
  };
}

function recordsOf({ layers }: Pick<RecallPack, 'layers'>, layer: Layer): readonly PackedRecord[] {
  return layers[layer];
}
