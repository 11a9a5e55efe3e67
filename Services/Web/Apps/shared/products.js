// The products that people pay for; payments may have others.

export const PRODUCTS = ['valet', 'parking', 'spots', 'carpool'];
