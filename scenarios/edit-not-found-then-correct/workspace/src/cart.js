const SHIPPING = 490;

export const shipping = () => SHIPPING;
