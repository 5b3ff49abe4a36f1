import { conceptSummary } from '../../src/derive/concept/content.ts';
import type { SupportRow } from '../../src/derive/concept/support.ts';

const row = (position: number, entity_name: string | null, text: string): SupportRow => ({
  scope_ref: 'scope',
  concept_id: 'concept',
  entity_id: 'ent_bob',
  entity_name,
  fact_id: `fact_${position}`,
  claim: `claim_${position}`,
  belief_id: `belief_${position}`,
  position,
  recorded: { from: position, to: position + 1 },
  caused_by: 'evt',
  closed_by: null,
  stance: 'supported',
  confidence: 0.75,
  events: [],
  newest_at: 0,
  text,
  other_id: null,
  relation: null,
});

describe('the summary of a concept', () => {
  it('says what gives an id alone by the name that was known by then', () => {
    const cited = [
      row(5, null, 'ent_x knows ent_bob'),
      row(4, 'Bob Smith', 'Bob Smith likes milk'),
      row(3, null, 'ent_bob likes water'),
      row(2, 'Robert', 'Robert likes tea'),
      row(1, null, 'ent_bob likes ent_bobby'),
    ];
    expect(conceptSummary('Robert', cited, 5)).toBe(
      'ent_x knows Bob Smith; Bob Smith likes milk; Robert likes water; Robert likes tea; Robert likes ent_bobby.',
    );
    expect(conceptSummary('ent_bob', [row(1, null, 'ent_bob likes tea')], 1)).toBe('ent_bob likes tea.');
  });
});
