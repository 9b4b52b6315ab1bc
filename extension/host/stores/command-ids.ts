export const storeCommandIds = {
  add: 'strata.stores.add',
  remove: 'strata.stores.remove',
  openConversation: 'strata.stores.openConversation',
  showMore: 'strata.stores.showMore',
} as const;
