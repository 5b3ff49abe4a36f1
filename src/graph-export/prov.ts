import type { GraphEdge } from '../../schemas/graph.ts';
import { EDGE_PROPERTIES, NODE_PROPERTIES, propertiesOf, type ExportNode, type GraphAbout } from './graph.ts';
import { className, prefixed } from './iri.ts';

/** A value of an attribute. */
export type ProvValue =
  | { readonly is: 'text' | 'instant' | 'name'; readonly value: string }
  | { readonly is: 'number' | 'integer'; readonly value: number }
  | { readonly is: 'flag'; readonly value: boolean };

/** What statements of a kind are about, in the order of PROV-N, as PROV-JSON calls it. */
export const PROV_KINDS = {
  entity: [],
  activity: ['prov:startTime', 'prov:endTime'],
  agent: [],
  wasGeneratedBy: ['prov:entity', 'prov:activity', 'prov:time'],
  used: ['prov:activity', 'prov:entity', 'prov:time'],
  wasDerivedFrom: [
    'prov:generatedEntity',
    'prov:usedEntity',
    'prov:activity',
    'prov:generation',
    'prov:usage',
  ],
  wasAttributedTo: ['prov:entity', 'prov:agent'],
  wasAssociatedWith: ['prov:activity', 'prov:agent', 'prov:plan'],
  hadMember: ['prov:collection', 'prov:entity'],
  alternateOf: ['prov:alternate1', 'prov:alternate2'],
  wasInfluencedBy: ['prov:influencee', 'prov:influencer'],
} as const satisfies Record<string, readonly string[]>;

/** A kind of statements. */
export type ProvKind = keyof typeof PROV_KINDS;

/** The kinds of statements that nodes come to, and those that edges come to. */
export const NODE_KINDS = [
  'entity',
  'activity',
  'agent',
  'wasGeneratedBy',
  'wasAttributedTo',
  'wasAssociatedWith',
] as const satisfies readonly ProvKind[];
export const EDGE_KINDS = [
  'used',
  'wasDerivedFrom',
  'hadMember',
  'alternateOf',
  'wasInfluencedBy',
] as const satisfies readonly ProvKind[];

/** One statement of PROV. */
export interface ProvStatement {
  readonly kind: ProvKind;
  /** Name of what it declares; null of what relates such things. */
  readonly id: string | null;
  /** What it is about, in the order of {@link PROV_KINDS}; names, or an instant, null where nothing is said. */
  readonly of: readonly (string | null)[];
  readonly attributes: readonly (readonly [string, ProvValue])[];
}

/** What made the records of a layer, by the name of its activity; events are captured by whoever hands them in. */
const ACTIVITIES = {
  event: 'Capture',
  fact: 'Extraction',
  belief: 'Weighing',
  episode: 'Grouping',
  concept: 'Synthesis',
} as const;

/** The service itself, which makes what no model makes. */
const SERVICE = 'strata';

/** What is said of the export itself. */
export function aboutStatement(about: GraphAbout): ProvStatement {
  const attributes = Object.entries(about).map(
    ([name, value]) => [`strata:${name}`, valueOf(name, value)] as const,
  );
  return entity('strata:export', [['prov:type', named('strata:GraphExport')], ...attributes]);
}

/** The statements that a node comes to; agents among them, which others name too. */
export function nodeStatements(node: ExportNode): ProvStatement[] {
  const { id, type, summary, origin, recorded_from } = node;
  const name = prefixed('node', id);
  const said = propertiesOf(
    node,
    NODE_PROPERTIES.filter((one) => !['type', 'summary'].includes(one.name)),
  );
  const declared = entity(name, [
    ['prov:type', named(`strata:${className(type)}`)],
    ...(type === 'episode' ? ([['prov:type', named('prov:Collection')]] as const) : []),
    ['prov:label', { is: 'text', value: summary }],
    ['strata:id', { is: 'text', value: id }],
    ...said.map((one) => [`strata:${one.name}`, valueOf(one.name, one.value, one.type)] as const),
  ]);
  if (type === 'entity') return [declared];
  const activity = prefixed('act', id);
  const made: ProvStatement[] = [
    declared,
    {
      kind: 'activity',
      id: activity,
      of: [null, null],
      attributes: [['prov:type', named(`strata:${ACTIVITIES[type]}`)]],
    },
    relation('wasGeneratedBy', [name, activity, recorded_from]),
  ];
  const maker = type === 'event' ? actorOf(origin.caller) : softwareOf(origin.extractor ?? SERVICE);
  const sayer = actorOf(origin.actor);
  if (maker?.id) made.push(maker, relation('wasAssociatedWith', [activity, maker.id, null]));
  if (sayer?.id) made.push(sayer, relation('wasAttributedTo', [name, sayer.id]));
  return made;
}

/** The statements that an edge comes to. */
export function edgeStatements(edge: GraphEdge): ProvStatement[] {
  const [from, to] = [prefixed('node', edge.from), prefixed('node', edge.to)];
  const activity = prefixed('act', edge.from);
  const said = propertiesOf(edge, EDGE_PROPERTIES).map(
    ({ name, type, value }) => [`strata:${name}`, valueOf(name, value, type)] as const,
  );
  switch (edge.type) {
    case 'DERIVED_FROM':
    case 'CONCLUDED_FROM':
    case 'SUPPORTED_BY':
      return [
        relation('used', [activity, to, null]),
        relation('wasDerivedFrom', [from, to, activity, null, null], said),
      ];
    case 'CONTAINS': {
      const role: ProvStatement['attributes'] =
        edge.role === undefined ? [] : [['prov:role', { is: 'text', value: edge.role }]];
      return [relation('used', [activity, to, null], role), relation('hadMember', [from, to])];
    }
    case 'SUPERSEDED_BY':
      // What took the place is the revision of what it took it of.
      return [
        relation(
          'wasDerivedFrom',
          [to, from, null, null, null],
          [['prov:type', named('prov:Revision')], ...said],
        ),
      ];
    case 'SAME_AS':
      return [relation('alternateOf', [from, to])];
    case 'CONTRADICTS':
    case 'SUBJECT':
    case 'OBJECT':
    case 'ABOUT':
    case 'RELATES':
    case 'FOLLOWS':
    case 'PRECEDED_BY':
      return [relation('wasInfluencedBy', [from, to], said)];
  }
}

function entity(id: string, attributes: ProvStatement['attributes']): ProvStatement {
  return { kind: 'entity', id, of: [], attributes };
}

function relation(
  kind: ProvKind,
  of: ProvStatement['of'],
  attributes: ProvStatement['attributes'] = [],
): ProvStatement {
  return { kind, id: null, of, attributes };
}

/** Kinds of actors, as their ids begin, that are people. */
const PEOPLE = new Set(['user', 'person', 'human']);

function actorOf(id: string | null): ProvStatement | null {
  if (id === null) return null;
  const isPerson = PEOPLE.has(id.slice(0, Math.max(0, id.indexOf(':'))));
  return {
    kind: 'agent',
    id: prefixed('actor', id),
    of: [],
    attributes: [
      ...(isPerson ? ([['prov:type', named('prov:Person')]] as const) : []),
      ['prov:label', { is: 'text', value: id }],
    ],
  };
}

function softwareOf(name: string): ProvStatement {
  return {
    kind: 'agent',
    id: prefixed('extractor', name),
    of: [],
    attributes: [
      ['prov:type', named('prov:SoftwareAgent')],
      ['prov:label', { is: 'text', value: name }],
    ],
  };
}

function named(value: string): ProvValue {
  return { is: 'name', value };
}

const INSTANT = /^(?:valid_|recorded_|as_of)/u;

function valueOf(name: string, value: string | number | boolean, type = 'string'): ProvValue {
  if (typeof value === 'boolean') return { is: 'flag', value };
  if (typeof value === 'number')
    return { is: type !== 'double' && Number.isInteger(value) ? 'integer' : 'number', value };
  return { is: INSTANT.test(name) ? 'instant' : 'text', value };
}
