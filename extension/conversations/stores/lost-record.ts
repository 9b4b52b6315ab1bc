import {
  type LocalizableText,
  localizable,
  type PortableText,
  portableText,
  rebuiltText,
} from '../../engine/wording/localizable-text';

/** No record of a conversation or of a journal begins like this. */
const lostBegins = '{"type":"lost-record",';

/**
 * Stands in for a record that a store can no longer read, so that only this record is lost and the others keep their places.
 */
export function lostRecord(reason: LocalizableText): string {
  return `${lostBegins}${JSON.stringify({ reason: portableText(reason) }).slice(1)}`;
}

/** Why a record was lost; null for a record. */
export function lossIn(record: string): LocalizableText | null {
  if (!record.startsWith(lostBegins)) return null;
  try {
    const { reason } = JSON.parse(record) as { readonly reason: PortableText };
    return rebuiltText(reason);
  } catch {
    return localizable('it cannot be read');
  }
}
