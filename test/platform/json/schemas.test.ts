import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as s from '../../../extension/platform/json/schemas';

const message = s.record({ id: s.name, text: s.text, tokens: s.count });

describe('schemas for JSON that other programs wrote', () => {
  it('schemas for JSON that other programs wrote read the fields that they name and no others', () => {
    expect(s.read(message, { id: 'a', text: 'hello', tokens: 3, more: true })).toEqual({
      id: 'a',
      text: 'hello',
      tokens: 3,
    });
  });

  it('schemas for JSON that other programs wrote take a wrong field for an absent one and keep the rest of its record', () => {
    expect(s.read(message, { id: 7, text: 'hello', tokens: 'many' })).toEqual({
      id: null,
      text: 'hello',
      tokens: null,
    });
  });

  it('schemas for JSON that other programs wrote take an empty name and a negative or endless count for absent ones', () => {
    expect(s.read(message, { id: '', tokens: -1 })).toEqual({ id: null, text: '', tokens: null });
    expect(s.read(message, { tokens: Number.POSITIVE_INFINITY }).tokens).toBeNull();
    expect(s.read(message, { tokens: Number.NaN }).tokens).toBeNull();
  });

  it('optional schemas for JSON that other programs wrote distinguish an absent record from one without its fields', () => {
    const reply = s.record({ usage: s.optionalRecord({ input: s.countOrZero }), origin: s.record({ kind: s.name }) });
    expect(s.read(reply, {})).toEqual({ usage: null, origin: { kind: null } });
    expect(s.read(reply, { usage: {}, origin: 'here' })).toEqual({ usage: { input: 0 }, origin: { kind: null } });
  });

  it('schemas for JSON that other programs wrote take a list for no record, and a record for no list', () => {
    expect(s.read(s.optionalRecord({ id: s.name }), [])).toBeNull();
    expect(s.read(s.jsonRecord, ['id'])).toBeNull();
    expect(s.read(s.list, { 0: 'a', length: 1 })).toEqual([]);
  });

  it('schemas for JSON that other programs wrote leave out the items of a list that are of another kind', () => {
    expect(s.read(s.texts, ['a', 1, null, ''])).toEqual(['a', '']);
    expect(s.read(s.jsonRecords, [{ id: 'a' }, [], null, 'b'])).toEqual([{ id: 'a' }]);
    expect(s.read(s.records({ id: s.name }), [{ id: 'a' }, 'b', { id: 1 }])).toEqual([{ id: 'a' }, { id: null }]);
  });

  it('schemas for JSON that other programs wrote take one of a few words and no other', () => {
    const role = s.record({ role: s.oneOf(['user', 'assistant']) });
    expect(s.read(role, { role: 'user' })).toEqual({ role: 'user' });
    expect(s.read(role, { role: 'root' })).toEqual({ role: null });
  });

  it('schemas for any value distinguish null from undefined', () => {
    const row = s.record({ parent: s.anything });
    expect(s.read(row, { parent: null }).parent).toBeNull();
    expect(s.read(row, {}).parent).toBeUndefined();
  });

  it('schemas for JSON that other programs wrote give every absent list a value of its own', () => {
    const row = s.record({ items: s.texts });
    const [one, other] = [s.read(row, {}), s.read(row, {})];
    one.items.push('mine');
    expect(other.items).toEqual([]);
  });

  it('schemas for JSON that other programs wrote are not led astray by the prototype of a record', () => {
    const hostile: unknown = JSON.parse('{"__proto__": {"id": "stolen"}, "constructor": "c"}');
    expect(s.read(message, hostile)).toEqual({ id: null, text: '', tokens: null });
    expect(s.read(s.record({ constructor: s.name }), {})).toEqual({ constructor: null });
    expect(Object.getPrototypeOf(s.read(message, hostile))).toBe(Object.prototype);
  });

  it('schemas for JSON that other programs wrote pass any depth of nesting and hand on the value itself', () => {
    const depth = 100_000;
    const deep: unknown = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    const row = s.record({ id: s.name, input: s.anything, items: s.list });
    expect(s.read(row, { id: deep, input: deep, items: deep }).input === deep).toBe(true);
  });

  it('never fail, whatever they are given', () => {
    const row = s.record({
      id: s.name,
      text: s.text,
      note: s.textOrNull,
      tokens: s.count,
      sum: s.countOrZero,
      done: s.flag,
      input: s.anything,
      items: s.list,
      names: s.texts,
      raw: s.jsonRecord,
      raws: s.jsonRecords,
      role: s.oneOf(['user']),
      inner: message,
      usage: s.optionalRecord({ input: s.count }),
      blocks: s.records({ type: s.name }),
    });
    const keys = Object.keys(s.read(row, {}));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom(...keys), fc.jsonValue())), (value) => {
        const fields = s.read(row, value);
        for (const [key, field] of Object.entries(fields)) if (key !== 'input') expect(field).not.toBeUndefined();
      }),
    );
  });
});
