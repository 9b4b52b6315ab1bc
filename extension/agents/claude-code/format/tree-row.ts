import * as s from '../../../platform/json/schemas';

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

const stateRow = s.record({ subtype: s.name, attachment: s.record({ type: s.name }) });

/** Names the kind of a row outside the conversation, as the list of other records shows it. */
export function kindOfState(row: s.JsonRecord, type: string): string {
  const { subtype, attachment } = s.read(stateRow, row);
  const kind = type === 'attachment' ? attachment.type : subtype;
  return kind === null ? type : `${type}/${kind}`;
}
