import * as s from '../records/schemas';

const fields = s.record({ uuid: s.name, message: s.jsonRecord });

/**
 * Whether a row is in the tree: a row of the conversation, or another row with a parent, such as progress in older
 * versions.
 */
export function isInTree(row: s.JsonRecord): boolean {
  const { uuid, message } = s.read(fields, row);
  if ((row.type === 'user' || row.type === 'assistant') && message !== null) return true;
  return uuid !== null && row.parentUuid !== undefined;
}
