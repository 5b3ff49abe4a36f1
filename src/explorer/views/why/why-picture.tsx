import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { theme } from '../../app/theme.ts';
import { WhyCanvas } from './canvas.ts';
import { drawn, type Way } from './drawing.ts';
import { nameOf, type WhyGraph } from './graph.ts';
import { useLayout } from './use-layout.ts';
import type { Quote } from './words.ts';

const DARK = matchMedia('(prefers-color-scheme: dark)');

/** What the drawing shows, and who is told of what somebody points at. */
interface WhyPictureProps {
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
}

/** The drawing. What it shows is in the list too, so that nothing here has to be reached by the keyboard. */
export function WhyPicture(props: WhyPictureProps) {
  const { canvas, asked, graph, root, chosen, quotes } = props;
  const frame = useRef<HTMLDivElement | null>(null);
  const drawing = useMemo(() => drawn(graph, (link) => quotes.get(nameOf(link))?.words), [graph, quotes]);
  const layout = useLayout(drawing, asked, frame);
  useCanvas(frame, props);
  useEffect(() => {
    canvas.current?.write(drawing);
  }, [drawing]);
  useEffect(() => {
    if (layout === null) return;
    canvas.current?.show(drawing, layout.places, root);
    canvas.current?.mark(chosen);
    canvas.current?.fit(chosen);
  }, [layout]);
  useEffect(() => {
    canvas.current?.mark(chosen);
  }, [chosen]);
  return (
    <div class="why-frame">
      <div class="why-canvas" ref={frame} />
      {layout === null && <p class="why-placing small soft">Placing the records…</p>}
    </div>
  );
}

/** Has a canvas in the frame as long as that is there, as large and in the colours that it is to have. */
function useCanvas(frame: RefObject<HTMLDivElement | null>, props: WhyPictureProps): void {
  const { canvas } = props;
  const newest = useRef(props);
  newest.current = props;
  useEffect(() => {
    if (frame.current === null) return undefined;
    const opened = new WhyCanvas(frame.current, {
      choose: (record) => {
        newest.current.choose(record);
      },
      open: (record) => {
        newest.current.open(record);
      },
    });
    canvas.current = opened;
    const observer = new ResizeObserver(() => {
      opened.fit(newest.current.chosen);
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
}
