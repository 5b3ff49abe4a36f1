import cytoscape, {
  type Core,
  type ElementDefinition,
  type EventObjectNode,
  type StylesheetJson,
} from 'cytoscape';

import { CARD, type Drawing, type Places } from './drawing.ts';

/** Where Cytoscape looks whether its style sheet is there; the one of this view has what that says, since the page takes no inline one. */
const STYLE_SHEET = '__________cytoscape_stylesheet';

/** Colours of the page as the drawing needs them: resolved, since a canvas knows no variables. */
type Ink = (token: string) => string;

function inkOf(container: HTMLElement): Ink {
  const { fontFamily } = getComputedStyle(container);
  const probe = document.createElement('span');
  return (token) => {
    if (token === 'font') return fontFamily;
    container.append(probe);
    probe.style.color = `var(--${token})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}

/** Kinds by shape, so that they can be told apart without their colours; the word stands in each as well. */
const SHAPES = {
  concept: 'octagon',
  belief: 'round-rectangle',
  fact: 'rectangle',
  episode: 'barrel',
  event: 'cut-rectangle',
  words: 'round-tag',
} as const;
const FILLS = {
  concept: 'warn-soft',
  belief: 'accent-soft',
  fact: 'surface',
  episode: 'good-soft',
  event: 'surface-sunk',
  words: 'ground',
} as const;

function styleOf(ink: Ink): StylesheetJson {
  return [
    {
      selector: 'node',
      style: {
        width: CARD.width,
        height: CARD.height,
        label: 'data(text)',
        'text-wrap': 'wrap',
        'text-max-width': `${CARD.width - 24}px`,
        'text-valign': 'center',
        'text-halign': 'center',
        'line-height': 1.2,
        'font-size': 12,
        'font-family': ink('font'),
        color: ink('text'),
        'background-color': ink('surface'),
        'border-color': ink('line-strong'),
        'border-width': 1.5,
      },
    },
    ...Object.entries(SHAPES).map(([kind, shape]) => ({
      selector: `node[kind = "${kind}"]`,
      style: { shape, 'background-color': ink(FILLS[kind as keyof typeof FILLS]) },
    })),
    { selector: 'node[kind = "words"]', style: { 'border-style': 'dotted', 'font-style': 'italic' } },
    { selector: 'node.root', style: { 'border-width': 5, 'border-style': 'double' } },
    { selector: 'node.chosen', style: { 'border-color': ink('accent'), 'border-width': 4 } },
    {
      selector: 'edge',
      style: {
        width: 'mapData(strength, 0, 1, 1.5, 5)',
        'curve-style': 'bezier',
        'line-color': ink('line-strong'),
        'source-arrow-shape': 'triangle',
        'source-arrow-color': ink('line-strong'),
        label: 'data(text)',
        'font-size': 12,
        'font-weight': 'bold',
        'font-family': ink('font'),
        color: ink('text'),
        'text-background-color': ink('ground'),
        'text-background-opacity': 1,
        'text-background-padding': '3px',
        'text-background-shape': 'roundrectangle',
      },
    },
    lineStyle('for', ink('good'), { 'line-style': 'solid' }),
    lineStyle('against', ink('bad'), { 'line-style': 'dashed', 'source-arrow-shape': 'tee' }),
    lineStyle('part', ink('line-strong'), { 'line-style': 'dotted', 'source-arrow-shape': 'circle' }),
    lineStyle('beside', ink('text-soft'), { 'line-style': 'dotted', 'source-arrow-shape': 'vee', width: 1 }),
  ] as StylesheetJson;
}

function lineStyle(look: string, colour: string, style: object): object {
  return {
    selector: `edge[look = "${look}"]`,
    style: { 'line-color': colour, 'source-arrow-color': colour, ...style },
  };
}

/** What happens when somebody points at a record. */
export interface Handlers {
  readonly choose: (record: string) => void;
  readonly open: (record: string) => void;
}

/** A drawing on the screen. */
export class WhyCanvas {
  private readonly cy: Core;
  private readonly container: HTMLElement;

  constructor(container: HTMLElement, { choose, open }: Handlers) {
    markStyleSheet();
    this.container = container;
    this.cy = cytoscape({
      container,
      autoungrabify: true,
      boxSelectionEnabled: false,
      // The wheel scrolls the page; there are buttons to come closer.
      userZoomingEnabled: false,
      minZoom: 0.1,
      maxZoom: 2.5,
    });
    this.cy.on('tap', 'node', (event: EventObjectNode) => {
      choose(event.target.data('record') as string);
    });
    this.cy.on('dbltap', 'node', (event: EventObjectNode) => {
      open(event.target.data('record') as string);
    });
    this.paint();
  }

  /** Takes the colours of the page, which may have changed. */
  paint(): void {
    this.cy.style(styleOf(inkOf(this.container)));
  }

  /** Shows a drawing whose cards stand in their places. */
  show({ cards, lines }: Drawing, places: Places, root: string): void {
    const nodes: ElementDefinition[] = cards.map(({ id, record, kind, text }) => ({
      group: 'nodes',
      data: { id, record, kind, text },
      position: { ...(places.get(id) ?? { x: 0, y: 0 }) },
      classes: id === root ? 'root' : '',
    }));
    const edges: ElementDefinition[] = lines.map(({ id, from, to, look, text, strength }) => ({
      group: 'edges',
      data: { id, source: from, target: to, look, text, strength },
    }));
    this.cy.batch(() => {
      this.cy.elements().remove();
      this.cy.add([...nodes, ...edges]);
    });
  }

  /** Writes what is new in what is shown already; nothing moves. */
  write({ cards, lines }: Drawing): void {
    this.cy.batch(() => {
      for (const { id, text } of cards) this.rewrite(id, { text });
      for (const { id, look, text, strength } of lines) this.rewrite(id, { look, text, strength });
    });
  }

  /** Marks a record, and brings it into the frame where it is outside. */
  mark(id: string): void {
    this.cy.nodes().removeClass('chosen');
    const node = this.cy.getElementById(id);
    if (node.empty()) return;
    node.addClass('chosen');
    const { x1, x2, y1, y2 } = node.renderedBoundingBox();
    const isInside = x1 >= 0 && y1 >= 0 && x2 <= this.cy.width() && y2 <= this.cy.height();
    if (!isInside) this.cy.center(node);
  }

  /** Shows all of it, no larger than it is written; where that would be too small to read, what is around a record. */
  fit(around: string): void {
    this.cy.resize();
    this.cy.fit(undefined, 12);
    if (this.cy.zoom() > 1) this.cy.zoom(1);
    if (this.cy.zoom() < 0.5) this.cy.zoom(0.5);
    const node = this.cy.getElementById(around);
    if (this.cy.zoom() === 0.5 && node.nonempty()) this.cy.center(node);
    else this.cy.center();
  }

  /** Comes closer, or goes away, by a factor. */
  zoom(factor: number): void {
    this.cy.zoom({
      level: this.cy.zoom() * factor,
      renderedPosition: { x: this.cy.width() / 2, y: this.cy.height() / 2 },
    });
  }

  close(): void {
    this.cy.destroy();
  }

  /** Leaves alone what says so already: each change is styled anew and drawn. */
  private rewrite(id: string, data: Readonly<Record<string, string | number>>): void {
    const element = this.cy.getElementById(id);
    if (Object.entries(data).some(([name, value]) => element.data(name) !== value)) element.data(data);
  }
}

function markStyleSheet(): void {
  if (document.getElementById(STYLE_SHEET) !== null) return;
  const mark = document.createElement('meta');
  mark.id = STYLE_SHEET;
  document.head.append(mark);
}
