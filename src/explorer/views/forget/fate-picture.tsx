import { useEffect, useState } from 'preact/hooks';

import { ask } from '../../api/ask.ts';
import { isAbort, refusalOf, type Refusal } from '../../api/errors.ts';
import { ErrorNotice, Skeleton } from '../../components/notice.tsx';
import { Picture } from '../../components/picture.tsx';
import { FateList } from './fate-list.tsx';
import { fateGraph, sampleOf, type Fate, type FateGraph, type FateNode } from './fate.ts';
import { layoutOf, NODE, type Layout, type Placed } from './layout.ts';
import { NEIGHBOURHOOD, type ForgetPreview } from './queries.ts';

/** So many records are drawn with what is beside them: a picture of more says less. */
const DRAWN = 16;

/** Some of what goes and is revised, and what stays beside them, as a small graph and as a list. */
export function FatePicture({ preview }: { readonly preview: ForgetPreview }) {
  const [read, setRead] = useState<FateGraph | Refusal | null>(null);
  const { ids: gone, revisedIds: revised } = preview;
  const sample = sampleOf(gone, revised, DRAWN);
  useEffect(() => {
    const over = new AbortController();
    const each = sample.map(async (id) => [id, await ask(NEIGHBOURHOOD, { id }, over.signal)] as const);
    Promise.all(each).then(
      (all) => {
        setRead(fateGraph(all, { gone, revised }));
      },
      (error: unknown) => {
        if (!isAbort(error)) setRead(refusalOf(error));
      },
    );
    return () => {
      over.abort();
    };
  }, [preview.previewId]);
  if (sample.length === 0) return null;
  if (read === null) return <Skeleton lines={5} />;
  if ('code' in read) return <ErrorNotice refusal={read} />;
  const total = [gone, revised].flatMap((each) => Object.values(each).flat()).length;
  return (
    <>
      <Picture
        title="What goes, what is revised, and what stays beside them"
        list={<FateList graph={read} />}
      >
        <Drawing layout={layoutOf(read)} />
      </Picture>
      {total > sample.length && (
        <p class="soft small">
          Drawn are {sample.length} of the {total} records that go or are revised; the lists below have all of
          them.
        </p>
      )}
    </>
  );
}

function Drawing({ layout: { nodes, edges, columns, width, height } }: { readonly layout: Layout }) {
  const places = new Map(nodes.map((node) => [node.id, node]));
  return (
    <svg
      class="fate-drawing"
      viewBox={`-4 0 ${width + 8} ${height + 4}`}
      width={width + 8}
      height={height + 4}
    >
      {columns.map(({ type, x }) => (
        <text class="fate-column" x={x} y={16} key={type}>
          {type}s
        </text>
      ))}
      {edges.map(({ from, to }) => {
        const [a, b] = [places.get(from), places.get(to)];
        return a && b && <path class={edgeClass(a, b)} d={curve(a, b)} key={`${from} ${to}`} />;
      })}
      {nodes.map((node) => (
        <NodeBox node={node} key={node.id} />
      ))}
    </svg>
  );
}

/** What one end of goes is let go. */
function edgeClass(a: FateNode, b: FateNode): string {
  return a.fate === 'goes' || b.fate === 'goes' ? 'fate-edge fate-edge-goes' : 'fate-edge';
}

function curve(one: Placed, other: Placed): string {
  const [a, b] = one.x <= other.x ? [one, other] : [other, one];
  const [fromY, toY] = [a.y + NODE.height / 2, b.y + NODE.height / 2];
  // Two of one column are joined on its right.
  const [fromX, toX] = [a.x + NODE.width, a.x === b.x ? b.x + NODE.width : b.x];
  const bend = a.x === b.x ? NODE.across / 2 : (toX - fromX) / 2;
  return `M${fromX} ${fromY}C${fromX + bend} ${fromY} ${a.x === b.x ? toX + bend : toX - bend} ${toY} ${toX} ${toY}`;
}

const SIGNS: Readonly<Record<Fate, string>> = { goes: '✕', revised: '◐', stays: '✓' };
const LINE = 26;

function NodeBox({ node: { x, y, words, fate } }: { readonly node: Placed }) {
  const [first, second] = linesOf(words);
  return (
    <g class={`fate-node fate-${fate}`}>
      <title>{words}</title>
      <rect x={x} y={y} width={NODE.width} height={NODE.height} rx="6" />
      <text class="fate-sign" x={x + 9} y={y + 20}>
        {SIGNS[fate]}
      </text>
      <text x={x + 27} y={y + 20}>
        {first}
      </text>
      <text x={x + 27} y={y + 36}>
        {second}
      </text>
    </g>
  );
}

/** The beginning of a text in two lines. */
function linesOf(words: string): readonly [string, string] {
  if (words.length <= LINE) return [words, ''];
  const space = words.lastIndexOf(' ', LINE);
  const end = space > LINE / 2 ? space : LINE;
  const rest = words.slice(end).trim();
  return [words.slice(0, end), rest.length > LINE ? `${rest.slice(0, LINE - 1).trimEnd()}…` : rest];
}
