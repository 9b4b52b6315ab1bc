import { shortWork } from '../../engine/conversation/long-work';
import { receiving } from '../recognition/received-entries';
import type { ReadRequest } from './continued-request';
import { knownBody } from './known-body';
import type { BodyShape, WireReading } from './protocol';

/** A request whose body was read as a whole. */
export function wholeRequest(
  bytes: Uint8Array<ArrayBuffer>,
  shape: BodyShape,
  { request, parsed }: Extract<WireReading, { readonly kind: 'request' }>,
): ReadRequest {
  const { said, rewritten, ...fields } = request;
  return {
    ...fields,
    receiving: (time) => receiving(said, time),
    rewriting: (outgoing) => shortWork(() => new TextEncoder().encode(rewritten(outgoing))),
    known: (received) => knownBody(bytes, shape, parsed, received),
  };
}
