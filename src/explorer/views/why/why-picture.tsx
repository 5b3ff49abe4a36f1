import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { theme } from '../../app/theme.ts';
import { WhyCanvas } from './canvas.ts';
import { betterWay, drawn, type Way } from './drawing.ts';
import { nameOf, type WhyGraph } from './graph.ts';
import type { Quote } from './words.ts';

const DARK = matchMedia('(prefers-color-scheme: dark)');

/** The drawing. What it shows is in the list too, so that nothing here has to be reached by the keyboard. */
export function WhyPicture({
  canvas,
  asked,
  graph,
  root,
  chosen,
  quotes,
  choose,
  open,
}: {
  /** Where the drawing is to be had once it is there. */
  readonly canvas: RefObject<WhyCanvas | null>;
  /** Which way it is to go; null for the one in which it is larger. */
  readonly asked: Way | null;
  readonly graph: WhyGraph;
  readonly root: string;
  readonly chosen: string;
  readonly quotes: ReadonlyMap<string, Quote>;
  readonly choose: (record: string) => void;
  readonly open: (record: string) => void;
}) {
  const frame = useRef<HTMLDivElement | null>(null);
  const handlers = useRef({ choose, open, chosen });
  handlers.current = { choose, open, chosen };
  const [better, setBetter] = useState<Way>('down');
  const way = asked ?? better;
  const drawing = useMemo(
    () => drawn(graph, way, (link) => quotes.get(nameOf(link))?.words),
    [graph, way, quotes],
  );
  useEffect(() => {
    if (frame.current === null) return undefined;
    const { clientWidth: width, clientHeight: height } = frame.current;
    setBetter(betterWay(graph, { width, height }));
    const opened = new WhyCanvas(frame.current, {
      choose: (record) => {
        handlers.current.choose(record);
      },
      open: (record) => {
        handlers.current.open(record);
      },
    });
    canvas.current = opened;
    const observer = new ResizeObserver(() => {
      opened.fit(handlers.current.chosen);
    });
    observer.observe(frame.current);
    return () => {
      observer.disconnect();
      canvas.current = null;
      opened.close();
    };
  }, []);
  useEffect(() => {
    const paint = (): void => {
      canvas.current?.paint();
    };
    paint();
    DARK.addEventListener('change', paint);
    return () => {
      DARK.removeEventListener('change', paint);
    };
  }, [theme.value]);
  useEffect(() => {
    canvas.current?.show(drawing, root);
    canvas.current?.mark(chosen);
  }, [drawing]);
  useEffect(() => {
    canvas.current?.fit(chosen);
  }, [graph, way]);
  useEffect(() => {
    canvas.current?.mark(chosen);
  }, [chosen]);
  return <div class="why-canvas" ref={frame} />;
}
