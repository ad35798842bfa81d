//! Layout of shared objects: the number of their elements, the block size of `[*]`, and what C and
//! UPC demand of their dimensions.

use super::constant::Fold;
use super::types::*;
use super::unit::Unit;
use crate::syntax::token::*;

/// Number of ultimate elements in a type, as a product.
#[derive(Clone, Debug)]
pub struct Count {
    /// The numeric factor.
    pub n: u64,
    /// How often a dynamic THREADS is a factor.
    pub threads: u32,
    /// Factors for the C compiler.
    pub exprs: Vec<ExprId>,
    /// A dimension has no length.
    pub open: bool,
}

impl Count {
    /// Whether it is the number one.
    pub fn is_one(&self) -> bool {
        self.n == 1 && self.threads == 0 && self.exprs.is_empty()
    }
}

impl Unit<'_> {
    /// Completes the type of the shared object that was declared, and checks its dimensions.
    /// `defines`: this is no `extern` declaration.
    pub(crate) fn settle_layout(&mut self, number: u32, defines: bool) {
        self.settle_star(number);
        let symbol = self.symbol(number);
        self.check_shared_dimensions(symbol.ty, symbol.token, defines);
    }

    /// Number of ultimate elements of an object of this type.
    pub(crate) fn count(&self, mut ty: QualTy) -> Count {
        let mut count = Count {
            n: 1,
            threads: 0,
            exprs: Vec::new(),
            open: false,
        };
        while let Some((elem, len)) = self.types.array(ty) {
            match len {
                Len::None => count.open = true,
                Len::Const { n, threads } => {
                    count.n = count.n.saturating_mul(n);
                    count.threads += u32::from(threads);
                }
                Len::Expr { expr, factor } => {
                    count.exprs.push(factor.unwrap_or(expr));
                    count.threads += u32::from(factor.is_some());
                }
            }
            ty = elem;
        }
        count
    }

    /// Gives `[*]` its number.
    fn settle_star(&mut self, number: u32) {
        let ty = self.symbol(number).ty;
        if !self
            .types
            .shared(ty)
            .is_some_and(|s| s.block == Block::Star)
        {
            return;
        }
        let count = self.count(ty);
        let threads = self.options.threads.map_or(1, u64::from).max(1);
        let block = match self.types.array(ty) {
            None => 1,
            Some(_) if count.threads > 0 => count.n,
            Some(_) => count.n.div_ceil(threads),
        };
        if !count.exprs.is_empty() {
            let t = self.symbol(number).token;
            let hint = "give the number of elements as a plain integer constant";
            self.error(
                t,
                t + 1,
                "[*] on an array whose length cannot be computed here",
                "",
                hint,
            );
        }
        if block > crate::MAX_BLOCK_SIZE {
            let t = self.symbol(number).token;
            let text = format!(
                "[*] makes blocks of {block} elements here, more than UPC_MAX_BLOCK_SIZE, {}",
                crate::MAX_BLOCK_SIZE
            );
            let hint = "declare fewer elements, or use [] for an indefinite block size";
            self.error(t, t + 1, &text, "UPC 1.3, 6.5.1.1", hint);
        }
        let shared = Shared {
            block: Block::Size(block.max(1)),
            explicit: true,
        };
        self.symbols.get_mut(number).ty = self.with_layout(ty, shared);
    }

    /// The same type with another layout.
    fn with_layout(&mut self, ty: QualTy, shared: Shared) -> QualTy {
        match self.types.array(ty) {
            Some((elem, len)) => {
                let elem = self.with_layout(elem, shared);
                QualTy::plain(self.types.add(Type::Array(elem, len)))
            }
            None => {
                let t = self.types.resolve(ty);
                // A typedef name that says the layout itself cannot be kept.
                let keep = self.types.shared(ty.unqualified()).is_none();
                let id = if keep { ty.id } else { t.id };
                QualTy {
                    id,
                    q: Quals {
                        bits: t.q.bits,
                        shared: Some(shared),
                    },
                }
            }
        }
    }

    fn check_shared_dimensions(&mut self, ty: QualTy, token: TokIdx, defines: bool) {
        if self.types.is_void(self.types.ultimate(ty)) {
            self.error(
                token,
                token + 1,
                "an object of type shared void",
                "C99, 6.7",
                "",
            );
            return;
        }
        if defines
            && self
                .types
                .record(self.types.ultimate(ty))
                .is_some_and(|r| r.members.is_none())
        {
            self.error(
                token,
                token + 1,
                "a shared object of an incomplete type",
                "C99, 6.7",
                "",
            );
            return;
        }
        if self.types.array(ty).is_none() {
            return;
        }
        let mut t = ty;
        while let Some((elem, len)) = self.types.array(t) {
            if let Len::Expr { expr, factor: None } = len {
                if let Fold::Value(v) | Fold::Threads(v) = self.fold(expr) {
                    let (lo, hi) = (self.expr(expr).lo, self.expr(expr).hi);
                    let text = format!("the length of a shared array is negative: {v}");
                    return self.error(lo, hi, &text, "C99, 6.7.5.2", "");
                }
                if self.fold(expr) == Fold::NotConstant && !self.mentions_threads(expr) {
                    let (lo, hi) = (self.expr(expr).lo, self.expr(expr).hi);
                    let hint = "allocate it with upc_all_alloc";
                    return self.error(
                        lo,
                        hi,
                        "the length of a shared array is not an integer constant expression",
                        "UPC 1.3, 6.5.2",
                        hint,
                    );
                }
            }
            t = elem;
        }
        if self.options.threads.is_none() {
            self.check_dynamic_dimensions(ty, token, true);
        }
    }

    pub(crate) fn mentions_threads(&self, e: ExprId) -> bool {
        (self.expr(e).lo..self.expr(e).hi).any(|t| self.token(t).kind == Tok::Kw(K::Threads))
    }
}
