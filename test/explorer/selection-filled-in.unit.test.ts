import { filledIn, filledInWith } from '../../src/explorer/views/forget/selection.ts';

const EMPTY = { entity: '', subject: '', predicate: '', labels: '', ids: '', from: '', to: '' };
const NARROW = { ...EMPTY, axis: '', all: '', how: 'derived_only', layers: '' };

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ how: 'derived_only', ...fields })) form.set(name, value);
  for (const layer of ['events', 'episodes', 'facts', 'beliefs', 'understanding'])
    form.append('layers', layer);
  return form;
}

describe('what is filled in of a selection', () => {
  it('says each field, the empty ones too, so that nothing that was emptied stays in the address', () => {
    expect(filledIn(formOf({ entity: ' Jonas ', from: '2025-01-01' }))).toEqual({
      ...NARROW,
      entity: 'Jonas',
      from: '2025-01-01',
    });
  });

  it('names the layers where they are not all of them, and that everything is meant', () => {
    const form = formOf({ all: 'yes' });
    form.delete('layers');
    form.append('layers', 'facts');
    expect(filledIn(form)).toEqual({ ...NARROW, all: 'yes', layers: 'facts' });
  });

  it('keeps its conditions when records are selected that were found', () => {
    const form = formOf({ entity: 'Jonas', to: '2025-01-01' });
    expect(filledInWith(form, { ticked: ['evt_1', 'evt_2'], unticked: [] })).toEqual({
      ...NARROW,
      entity: 'Jonas',
      to: '2025-01-01',
      ids: 'evt_1,evt_2',
    });
  });

  it('keeps ids that were written, each once, and leaves out those whose tick was taken away', () => {
    const form = formOf({ ids: 'evt_1, fact_2 evt_3' });
    expect(filledInWith(form, { ticked: ['evt_1', 'evt_4'], unticked: ['evt_3'] }).ids).toBe(
      'evt_1,fact_2,evt_4',
    );
  });
});
