import { linkWith } from '../../app/location.ts';
import { layersOf, nameOf, signOf, type Layer, type WhyGraph, type WhyLink, type WhyNode } from './graph.ts';
import { cut, shortNumber, verbOf, type Quote } from './words.ts';

/** Links that are told of one record. */
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
  const names = new Map(graph.nodes.map(({ id, summary }) => [id, summary]));
  return (
    <div class="why-list">
      {layersOf(graph, root).map(({ steps, nodes }) => (
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
                <Links links={linksOf(graph, node, steps)} node={node} names={names} quotes={quotes} />
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

/** Of what lies below the links from above, of what lies above those to below, of the rest all. */
function linksOf({ links }: WhyGraph, { id }: WhyNode, steps: Layer['steps']): readonly WhyLink[] {
  return links.filter(
    ({ from, to }) =>
      (from === id && (steps === null || steps > 0)) || (to === id && (steps === null || steps < 0)),
  );
}

function Links({
  links,
  node,
  names,
  quotes,
}: {
  readonly links: readonly WhyLink[];
  readonly node: WhyNode;
  readonly names: ReadonlyMap<string, string>;
  readonly quotes: ReadonlyMap<string, Quote>;
}) {
  if (links.length === 0) return null;
  return (
    <ul class="why-links small">
      {links.slice(0, LINKS).map((link) => {
        const isEnd = link.to === node.id;
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
      {links.length > LINKS && <li class="soft">and {links.length - LINKS} more</li>}
    </ul>
  );
}
