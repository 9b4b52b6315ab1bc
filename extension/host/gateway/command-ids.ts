export const gatewayCommandIds = { gateway: 'strata.gateway' } as const;

/** Arguments of the command, for key bindings and links. */
export type GatewayAction = 'start' | 'stop' | 'copySetup' | 'newToken' | 'showNewest';
