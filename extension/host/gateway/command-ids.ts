export const gatewayCommandIds = {
  start: 'strata.gateway.start',
  stop: 'strata.gateway.stop',
  copySetup: 'strata.gateway.copySetup',
  newToken: 'strata.gateway.newToken',
  showNewest: 'strata.gateway.showNewest',
} as const;

/** Behind the item in the status bar; not in the command palette. */
export const gatewayMenuId = 'strata.gateway.menu';
