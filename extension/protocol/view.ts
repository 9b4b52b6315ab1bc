/** Everything that the panel shows, ready to paint: the webview derives state and computes nothing. */

/** Exported here because the webview imports only types from the engine and from what measures. */
export { pinKinds } from '../engine/core/core';
export { oneDecimal, shareText, tokensText } from '../engine/wording/tokens-text';
export { metricIds, metricOf } from '../evaluation/measure/metrics';
export { baseline } from '../evaluation/measure/report';
export type * from './views/compactions';
export type * from './views/history';
export type * from './views/preview';
export type * from './views/rows';
export type * from './views/session';
export type * from './views/sessions';
