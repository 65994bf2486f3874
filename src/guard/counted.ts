/** In the sentence: what is counted or measured. */
const counting =
  /(?:errors?|failures?|attempts?|tests|checks|resets|requests|average|total|fehler|versuche?|errores|intentos|erros|falhas|tentativas|erreurs|échecs|tentatives|ошиб\p{L}{1,3}|попыт\p{L}{1,3}|错误|失败|次数|エラー|失敗|回数|오류|실패|횟수|hatal?ar\p{L}{0,3}|deneme\p{L}{0,4})(?!\p{L})|错误|次数|エラー|回数|오류|횟수/iu;
/** Right before the number: what it is the number of. */
const numbering =
  /(?:ticket|page|build|case|order|invoice|job|line|port|room|ext|customer|seite|zeile|auftrag|rechnung|página|línea|linha|pedido|factura|fatura|commande|facture|тикет|заявка|задача|страница|заказ|工单|訂單|订单|ページ|チケット|伝票|티켓|페이지|주문|talep|sayfa|sipariş)["'`]?[\s:=#(№-]{0,3}$/iu;

/** Whether what stands before a number says that it counts something, or which ticket or page it is. */
export function isCounted(lead: string): boolean {
  return counting.test(lead) || numbering.test(lead) || /[#№]$/.test(lead);
}
