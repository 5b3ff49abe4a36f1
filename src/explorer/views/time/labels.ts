import type { NodeDisplayData, PartialButFor } from 'sigma/types';

import type { Colours } from './colours.ts';

/** What a node of the picture carries beside what sigma needs. */
export interface Marked {
  /** The letter of its kind, or the sign of what became of it. */
  readonly letter?: string;
}

/** What of the settings of sigma matters here. */
interface Sizes {
  readonly labelSize: number;
}

type Data = PartialButFor<NodeDisplayData, 'x' | 'y' | 'size' | 'label' | 'color'> & Marked;

const LONGEST = 36;
const GAP = 4;
const PADDING = 6;

/** A stretch of the picture that has words already, pixels. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/** Draws the letters of nodes into them and their words beside them, as long as there is room for these. */
export class Labels {
  private readonly colours: () => Colours;
  private taken: Box[] = [];

  constructor(colours: () => Colours) {
    this.colours = colours;
  }

  /** The picture is drawn anew. */
  begin(): void {
    this.taken = [];
  }

  draw(context: CanvasRenderingContext2D, data: Data, { labelSize }: Sizes): void {
    const { x, y, size, letter = '', label } = data;
    const { text, surface, onNode, font } = this.colours();
    context.textBaseline = 'middle';
    context.textAlign = 'center';
    context.fillStyle = onNode;
    context.font = `700 ${Math.max(8, size * 1.2)}px ${font}`;
    context.fillText(letter, x, y + 0.5);
    if (label === null || label === '') return;
    context.font = `${labelSize}px ${font}`;
    const words = cut(label, LONGEST);
    const width = context.measureText(words).width;
    const isLeft = x + size + GAP + width > context.canvas.clientWidth;
    const left = isLeft ? x - size - GAP - width : x + size + GAP;
    if (!this.take({ left, right: left + width, y }, labelSize)) return;
    context.textAlign = 'start';
    context.lineWidth = 3;
    context.lineJoin = 'round';
    context.strokeStyle = surface;
    context.fillStyle = text;
    context.strokeText(words, left, y);
    context.fillText(words, left, y);
  }

  /** Whether nothing stands there yet. */
  private take(box: Box, height: number): boolean {
    const isTaken = this.taken.some(
      ({ left, right, y }) => Math.abs(y - box.y) < height && left < box.right && right > box.left,
    );
    if (!isTaken) this.taken.push(box);
    return !isTaken;
  }
}

/** Draws what a node says in full on a ground of its own, while the pointer is on it. */
export function hoverDrawer(colours: () => Colours) {
  return (context: CanvasRenderingContext2D, data: Data, settings: Sizes): void => {
    const { x, y, size, label, color, letter = '' } = data;
    const { text, surface, line, onNode, font } = colours();
    context.font = `${settings.labelSize}px ${font}`;
    const words = label === null ? '' : cut(label, LONGEST * 3);
    const width = context.measureText(words).width;
    context.fillStyle = surface;
    context.strokeStyle = line;
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(
      x - size - PADDING,
      y - size - PADDING,
      width + 2 * size + GAP + 3 * PADDING,
      2 * (size + PADDING),
      PADDING,
    );
    context.fill();
    context.stroke();
    context.fillStyle = color;
    context.beginPath();
    context.arc(x, y, size, 0, 2 * Math.PI);
    context.fill();
    context.textBaseline = 'middle';
    context.textAlign = 'start';
    context.fillStyle = text;
    context.fillText(words, x + size + GAP, y);
    context.textAlign = 'center';
    context.fillStyle = onNode;
    context.font = `700 ${Math.max(8, size * 1.2)}px ${font}`;
    context.fillText(letter, x, y + 0.5);
  };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
