import { useMemo } from 'preact/hooks';

import { linkWith } from '../../app/location.ts';
import { nameOf, signOf, type WhyGraph, type WhyLink } from './graph.ts';
import { layersOf, linksToldAt, type Layer } from './layers.ts';
import { cut, shortNumber, verbOf, type Quote } from './words.ts';

/** Links that are told of one record at once; the others are folded. */
const LINKS = 8;
const SHORT = 80;

/** The graph layer by layer: what each record is to those nearer to the one that is asked about, and the words that are quoted. */
export function WhyList({
  graph,
  root,
  chosen,
  quotes,
}: {
  readonly graph: WhyGraph;
  readonly root: string;
  readonly chosen: string;
  readonly quotes: ReadonlyMap<string, Quote>;
}) {
  const { layers, told, names } = useMemo(() => {
    const inLayers = layersOf(graph, root);
    return {
      layers: inLayers,
      told: linksToldAt(graph, inLayers),
      names: new Map(graph.nodes.map(({ id, summary }) => [id, summary])),
    };
  }, [graph, root]);
  return (
    <div class="why-list">
      {layers.map(({ steps, nodes }) => (
        <section key={steps}>
          <h3>{titleOf(steps)}</h3>
          <ul>
            {nodes.map((node) => (
              <li key={node.id}>
                <a href={linkWith({ at: node.id })} aria-current={node.id === chosen ? 'true' : undefined}>
                  {node.summary}
                </a>
                <p class="small soft">
                  {node.kind}
                  {node.stance !== null && `, ${node.stance}`}
                  {node.confidence !== null && `, confidence ${shortNumber(node.confidence)}`}
                </p>
                <Links links={told.get(node.id) ?? []} at={node.id} names={names} quotes={quotes} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function titleOf(steps: Layer['steps']): string {
  if (steps === null) return 'Beside it';
  if (steps === 0) return 'What is asked about';
  const far = Math.abs(steps);
  const distance = far === 1 ? '' : `, ${far} steps away`;
  return `${steps < 0 ? 'What it rests on' : 'What rests on it'}${distance}`;
}

interface LinksProps {
  readonly links: readonly WhyLink[];
  /** The record that they are told of. */
  readonly at: string;
  readonly names: ReadonlyMap<string, string>;
  readonly quotes: ReadonlyMap<string, Quote>;
}

function Links({ links, ...shared }: LinksProps) {
  if (links.length === 0) return null;
  const rest = links.slice(LINKS);
  return (
    <ul class="why-links small">
      <LinkItems links={links.slice(0, LINKS)} {...shared} />
      {rest.length > 0 && (
        <li>
          <details>
            <summary>{rest.length} more</summary>
            <ul>
              <LinkItems links={rest} {...shared} />
            </ul>
          </details>
        </li>
      )}
    </ul>
  );
}

function LinkItems({ links, at, names, quotes }: LinksProps) {
  return (
    <>
      {links.map((link) => {
        const isEnd = link.to === at;
        const quote = quotes.get(nameOf(link));
        return (
          <li key={nameOf(link)}>
            {signOf(link) !== '' && <span class="why-sign">{signOf(link)} </span>}
            {verbOf(link.relation, isEnd)}
            {link.weight !== null && ` (weight ${shortNumber(link.weight)})`}:{' '}
            {cut(names.get(isEnd ? link.from : link.to) ?? '', SHORT)}
            {quote !== undefined && (
              <blockquote class="why-quote">
                {quote.before}
                <mark>{quote.words}</mark>
                {quote.after}
              </blockquote>
            )}
          </li>
        );
      })}
    </>
  );
}
