import { useMemo, useRef } from 'preact/hooks';

import { useEach } from '../../api/use-each.ts';
import { address, asOf, goTo, linkWith } from '../../app/location.ts';
import { ErrorNotice, Note } from '../../components/notice.tsx';
import { Picture } from '../../components/picture.tsx';
import type { WhyCanvas } from './canvas.ts';
import { firstOf, graphOf, nameOf, withNeighbours, type WhyGraph, type WhyLink } from './graph.ts';
import { EVENT_TEXT, NEIGHBOURS, type Provenance } from './queries.ts';
import { RecordPanel } from './record-panel.tsx';
import { WhyInWords } from './why-in-words.tsx';
import { WhyLegend } from './why-legend.tsx';
import { WhyList } from './why-list.tsx';
import { WhyPicture } from './why-picture.tsx';
import { WhyTools } from './why-tools.tsx';
import { quoteOf, textOf, type Quote } from './words.ts';

/** Records that a drawing has at most, until somebody asks for all: beyond that nobody reads it. */
const DRAWN = 120;
const DEEPEST = 12;

/** A graph as a drawing, as a list and in words, with what is chosen in it. */
export function WhyView({
  id,
  depth,
  down,
  up,
}: {
  readonly id: string;
  readonly depth: number;
  readonly down: Provenance;
  readonly up: Provenance;
}) {
  const { open = '', at = id, all, way } = address.value.parameters;
  const opened = useMemo(() => open.split(',').filter((part) => part !== ''), [open]);
  const { graph, neighbours, isCutShort } = useGraph(down, up, opened);
  const canvas = useRef<WhyCanvas | null>(null);
  const quotes = useQuotes(graph.links);
  const shown = useMemo(() => (all === '1' ? graph : firstOf(graph, DRAWN)), [graph, all]);
  const toggle = (record: string): void => {
    goTo(linkWith({ open: toggled(opened, record).join(','), at: record }));
  };
  return (
    <div class="why-grid">
      <div class="why-main">
        {neighbours.refusal !== null && <ErrorNotice refusal={neighbours.refusal} retry={neighbours.retry} />}
        <Truncated depth={depth} isTruncated={down.truncated || up.truncated || isCutShort} />
        <Drawn shown={shown.nodes.length} all={graph.nodes.length} />
        <WhyTools canvas={canvas} root={id} asked={way} />
        <Picture
          title="What rests on what"
          list={<WhyList graph={graph} root={id} chosen={at} quotes={quotes} />}
        >
          <WhyPicture
            canvas={canvas}
            asked={way === 'down' || way === 'across' ? way : null}
            graph={shown}
            root={id}
            chosen={at}
            quotes={quotes}
            choose={choose}
            open={toggle}
          />
          <WhyLegend />
        </Picture>
      </div>
      <div class="why-aside">
        <WhyInWords id={id} depth={depth} />
        <RecordPanel
          id={at}
          isRoot={at === id}
          isOpen={opened.includes(at)}
          toggle={() => {
            toggle(at);
          }}
          key={at}
        />
      </div>
    </div>
  );
}

function choose(record: string): void {
  goTo(linkWith({ at: record }));
}

function toggled(opened: readonly string[], record: string): readonly string[] {
  return opened.includes(record) ? opened.filter((one) => one !== record) : [...opened, record];
}

/** The record's graph with what is at the other ends of those records that are opened. */
function useGraph(down: Provenance, up: Provenance, opened: readonly string[]) {
  const neighbours = useEach(
    NEIGHBOURS,
    opened.map((id) => ({ id, asOf: asOf.value })),
  );
  const graph = useMemo(
    () =>
      neighbours.answers.reduce<WhyGraph>(
        (grown, answer) => (answer?.neighbours ? withNeighbours(grown, answer.neighbours) : grown),
        graphOf([down, up]),
      ),
    [down, up, opened, neighbours.done],
  );
  const isCutShort = neighbours.answers.some((answer) => answer?.neighbours?.pageInfo.hasNextPage === true);
  return { graph, neighbours, isCutShort };
}

function Drawn({ shown, all }: { readonly shown: number; readonly all: number }) {
  if (shown === all) return null;
  return (
    <Note>
      <p>
        {shown} of {all} records are drawn, the nearest; the list has all.{' '}
        <a href={linkWith({ all: '1' })}>Draw all of them</a>
      </p>
    </Note>
  );
}

function Truncated({ depth, isTruncated }: { readonly depth: number; readonly isTruncated: boolean }) {
  if (!isTruncated) return null;
  return (
    <Note>
      <p>
        There is more than is shown.{' '}
        {depth < DEEPEST ? (
          <a href={linkWith({ depth: String(DEEPEST) })}>Go {DEEPEST} steps far</a>
        ) : (
          'Choose a record and show its neighbours.'
        )}
      </p>
    </Note>
  );
}

/** The words that links name, by the names of the links. */
function useQuotes(links: readonly WhyLink[]): ReadonlyMap<string, Quote> {
  const quoted = links.filter(({ span }) => span !== null);
  const events = [...new Set(quoted.map(({ to }) => to))];
  const { answers, done } = useEach(
    EVENT_TEXT,
    events.map((id) => ({ id })),
  );
  return useMemo(() => {
    const texts = new Map(
      answers.flatMap((answer) => (answer?.event ? [[answer.event.id, textOf(answer.event.content)]] : [])),
    );
    return new Map(
      quoted.flatMap((link) => {
        const text = texts.get(link.to);
        return text === undefined || text === null || link.span === null
          ? []
          : [[nameOf(link), quoteOf(text, link.span)]];
      }),
    );
  }, [links, done]);
}
