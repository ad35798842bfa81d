//! Accesses of a program, or of one of its objects, to shared data that no event reports. The
//! compiler leaves it in every object as an ELF note, the recorder puts the notes of a program
//! together and writes them into its streams, and the analysis gives no advice that rests on having
//! seen everything.

use std::fmt;

/// Name of the ELF notes, with the zero that ends it.
pub const NOTE_NAME: &[u8] = b"pgas\0";
/// Type of the ELF notes.
pub const NOTE_TYPE: u32 = 1;
/// Section of the ELF notes.
pub const NOTE_SECTION: &str = ".note.pgas";

/// See the module. Places are the first ones, such as `a.upc:12`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unseen {
    /// Objects of UPC.
    pub units: u64,
    /// An access or operation that is not instrumented.
    pub uninstrumented: Option<String>,
    /// An access or operation under `#pragma pupc off`.
    pub switched_off: Option<String>,
    /// Operations that a filter has left out when the program was compiled.
    pub filtered: Vec<String>,
    /// An access that is not reported where the data is the thread's own.
    pub own: Option<String>,
    /// A pointer-to-shared that becomes a pointer to private.
    pub cast: Option<String>,
    /// A call of a function that moves shared data and is never reported, and its place:
    /// `upc_all_sort (a.upc:9)`.
    pub call: Option<String>,
    /// Accesses to neighbours of the element by which `upc_forall` chooses the thread.
    pub neighbours: Vec<Neighbour>,
    /// Accesses to that element, to its neighbours, and to those of other arrays with the same
    /// index.
    pub followers: Vec<Follower>,
    /// Lines of which all counted accesses are to the thread's own elements, through pointers to
    /// private: such as `a.upc:12`.
    pub direct: Vec<String>,
    /// Those of them where nothing is counted before the loop has ended: counting costs nothing.
    pub counted_at_end: Vec<String>,
}

/// A value with what separates values, or ends the text, as `%` and two hexadecimal digits.
fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            ';' | ',' | '%' | '\0' | '\n' => text += &format!("%{:02X}", u32::from(c)),
            c => text.push(c),
        }
    }
    text
}

/// The value of which [`escaped`] made the text. Other uses of `%` stay as they are.
fn unescaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    let mut parts = text.split('%');
    value += parts.next().unwrap_or_default();
    for part in parts {
        let code = part
            .get(..2)
            .and_then(|code| u8::from_str_radix(code, 16).ok());
        match code.filter(u8::is_ascii) {
            Some(code) => {
                value.push(char::from(code));
                value += &part[2..];
            }
            None => {
                value.push('%');
                value += part;
            }
        }
    }
    value
}

/// An access in a `upc_forall` that goes by the elements of an array: with another distribution of
/// the array, other threads make it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Follower {
    /// Such as `a.upc:12`.
    pub place: String,
    /// Name of the array.
    pub array: String,
}

impl Follower {
    fn parse(text: &str) -> Option<Self> {
        let (place, array) = text.rsplit_once(':')?;
        (!place.is_empty() && !array.is_empty()).then(|| Follower {
            place: unescaped(place),
            array: array.to_owned(),
        })
    }
}

impl fmt::Display for Follower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", escaped(&self.place), self.array)
    }
}

/// An access to an element at a fixed distance from the one by which `upc_forall` chooses the
/// thread of an iteration, in an array of the same layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbour {
    /// Such as `a.upc:12`.
    pub place: String,
    /// Elements from the one to the other; not 0.
    pub distance: i64,
}

impl Neighbour {
    fn parse(text: &str) -> Option<Self> {
        let (place, distance) = text.rsplit_once(':')?;
        let distance = distance.parse().ok().filter(|&distance| distance != 0)?;
        (!place.is_empty()).then(|| Neighbour {
            place: unescaped(place),
            distance,
        })
    }
}

impl fmt::Display for Neighbour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", escaped(&self.place), self.distance)
    }
}

impl Unseen {
    /// Adds what another part of the program does.
    pub fn add(&mut self, other: &Unseen) {
        self.units += other.units;
        for (own, other) in [
            (&mut self.uninstrumented, &other.uninstrumented),
            (&mut self.switched_off, &other.switched_off),
            (&mut self.own, &other.own),
            (&mut self.cast, &other.cast),
            (&mut self.call, &other.call),
        ] {
            if own.is_none() {
                own.clone_from(other);
            }
        }
        for operation in &other.filtered {
            if !self.filtered.contains(operation) {
                self.filtered.push(operation.clone());
            }
        }
        for neighbour in &other.neighbours {
            if !self.neighbours.contains(neighbour) {
                self.neighbours.push(neighbour.clone());
            }
        }
        for follower in &other.followers {
            if !self.followers.contains(follower) {
                self.followers.push(follower.clone());
            }
        }
        for (own, others) in [
            (&mut self.direct, &other.direct),
            (&mut self.counted_at_end, &other.counted_at_end),
        ] {
            for place in others {
                if !own.contains(place) {
                    own.push(place.clone());
                }
            }
        }
    }

    /// Parses the output of [`fmt::Display`]. Unknown keys and damaged values are skipped.
    pub fn parse(text: &str) -> Self {
        let mut unseen = Unseen::default();
        for (key, value) in text.split(';').filter_map(|pair| pair.split_once('=')) {
            let place = Some(unescaped(value)).filter(|value| !value.is_empty());
            match key {
                "units" => unseen.units = value.parse().unwrap_or(0),
                "uninstrumented" => unseen.uninstrumented = place,
                "off" => unseen.switched_off = place,
                "filtered" => {
                    let names = value.split(',').filter(|name| !name.is_empty());
                    unseen.filtered = names.map(str::to_owned).collect();
                }
                "own" => unseen.own = place,
                "cast" => unseen.cast = place,
                "call" => unseen.call = place,
                "neighbours" => {
                    unseen.neighbours = value.split(',').filter_map(Neighbour::parse).collect();
                }
                "followers" => {
                    unseen.followers = value.split(',').filter_map(Follower::parse).collect();
                }
                "direct" | "at_end" => {
                    let places = value.split(',').filter(|place| !place.is_empty());
                    let places = places.map(unescaped).collect();
                    match key {
                        "direct" => unseen.direct = places,
                        _ => unseen.counted_at_end = places,
                    }
                }
                _ => {}
            }
        }
        unseen
    }
}

impl fmt::Display for Unseen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "units={};", self.units)?;
        let filtered = Some(self.filtered.join(",")).filter(|names| !names.is_empty());
        let list = |places: Vec<String>| Some(places.join(",")).filter(|all| !all.is_empty());
        let neighbours = list(self.neighbours.iter().map(Neighbour::to_string).collect());
        let followers = list(self.followers.iter().map(Follower::to_string).collect());
        let places = |all: &[String]| list(all.iter().map(|place| escaped(place)).collect());
        let (direct, at_end) = (places(&self.direct), places(&self.counted_at_end));
        let place = |place: &Option<String>| place.as_deref().map(escaped);
        for (key, value) in [
            ("uninstrumented", place(&self.uninstrumented)),
            ("off", place(&self.switched_off)),
            ("filtered", filtered),
            ("own", place(&self.own)),
            ("cast", place(&self.cast)),
            ("call", place(&self.call)),
            ("neighbours", neighbours),
            ("followers", followers),
            ("direct", direct),
            ("at_end", at_end),
        ] {
            if let Some(value) = value {
                write!(f, "{key}={value};")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_says_all_that_is_known() {
        let unseen = Unseen {
            units: 3,
            uninstrumented: Some("b.upc:7".into()),
            switched_off: None,
            filtered: vec!["upc_get".into(), "upc_put".into()],
            own: Some("my file=1.upc:12".into()),
            cast: Some("a;b 50%.upc:2".into()),
            call: Some("upc_all_sort (a.upc:9)".into()),
            neighbours: vec![
                Neighbour {
                    place: "a.upc:8".into(),
                    distance: -1,
                },
                Neighbour {
                    place: "my:a,b;%2C.upc:8".into(),
                    distance: 100,
                },
            ],
            followers: vec![Follower {
                place: "my:a.upc:8".into(),
                array: "now".into(),
            }],
            direct: vec!["a.upc:9".into(), "my,a=\n.upc:9".into()],
            counted_at_end: vec!["my,a=\n.upc:9".into()],
        };
        let read = Unseen::parse(&unseen.to_string());
        assert_eq!(read, unseen);
        assert_eq!(Unseen::parse(""), Unseen::default());
        assert_eq!(
            Unseen::parse("cast=5%.upc:1%é%;").cast.as_deref(),
            Some("5%.upc:1%é%")
        );
        assert_eq!(
            Unseen::parse("units=x;more=1;=;;own;neighbours=a,:1,a.upc:3:0,a.upc:x;followers=:a,a"),
            Unseen::default()
        );
    }

    #[test]
    fn parts_add_up() {
        let mut all = Unseen::parse("units=1;filtered=upc_get;");
        all.add(&Unseen::parse(
            "units=2;cast=a.upc:1;filtered=upc_put,upc_get;",
        ));
        all.add(&Unseen::parse("units=1;cast=b.upc:1;neighbours=a.upc:8:1;"));
        all.add(&Unseen::parse("units=0;neighbours=a.upc:8:1,a.upc:8:-1;"));
        all.add(&Unseen::parse("units=0;followers=a.upc:8:b;"));
        all.add(&Unseen::parse(
            "units=0;followers=a.upc:8:b,a.upc:9:b;direct=a.upc:9;",
        ));
        all.add(&Unseen::parse(
            "units=0;direct=a.upc:9,b.upc:1;at_end=b.upc:1;",
        ));
        let text = "units=4;filtered=upc_get,upc_put;cast=a.upc:1;neighbours=a.upc:8:1,a.upc:8:-1;\
                    followers=a.upc:8:b,a.upc:9:b;direct=a.upc:9,b.upc:1;at_end=b.upc:1;";
        assert_eq!(all.to_string(), text);
    }
}
